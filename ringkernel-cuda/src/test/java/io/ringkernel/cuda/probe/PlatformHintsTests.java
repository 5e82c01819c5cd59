package io.ringkernel.cuda.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PlatformHintsTests {

	@TempDir
	private Path root;

	@Test
	void plainLinuxSaysNothing() throws IOException {
		write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
		assertThat(read(Map.of()).describe()).isEqualTo("Linux");
		assertThat(read(Map.of()).wsl()).isFalse();
	}

	@Test
	void aMachineThatTellsNothingIsNoError() {
		assertThat(read(Map.of()).describe()).isEqualTo("Linux");
	}

	@ParameterizedTest
	@ValueSource(strings = { "5.15.90.1-microsoft-standard-WSL2", "4.4.0-19041-Microsoft", "6.6.0-WSL" })
	void theReleaseOfTheKernelGivesWslAway(String release) throws IOException {
		write("proc/sys/kernel/osrelease", release + "\n");
		assertThat(read(Map.of()).wsl()).isTrue();
		assertThat(read(Map.of()).describe()).isEqualTo("WSL2 (kernel release '%s')".formatted(release));
	}

	@Test
	void theDeviceOfTheHostGivesWslAway() throws IOException {
		write("dev/dxg", "");
		assertThat(read(Map.of()).describe()).isEqualTo("WSL2 (device /dev/dxg)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "WSL_DISTRO_NAME", "WSL_INTEROP" })
	void aVariableGivesWslAway(String variable) {
		assertThat(read(Map.of(variable, "x")).describe()).isEqualTo("WSL2 (variable %s)".formatted(variable));
	}

	@ParameterizedTest
	@ValueSource(strings = { ".dockerenv", "run/.containerenv" })
	void aContainerOnWslIsBoth(String file) throws IOException {
		write("dev/dxg", "");
		write(file, "");
		assertThat(read(Map.of()).describe()).isEqualTo("WSL2, in a container (device /dev/dxg)");
	}

	@Test
	void windowsIsNoWsl() {
		PlatformHints hints = PlatformHints.read(this.root, Map.of(), "Windows 11");
		assertThat(hints.wsl()).isFalse();
		assertThat(hints.describe()).isEqualTo("Windows (os.name 'Windows 11')");
	}

	private PlatformHints read(Map<String, String> environment) {
		return PlatformHints.read(this.root, environment, "Linux");
	}

	private void write(String file, String text) throws IOException {
		Path path = this.root.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, text);
	}

}
