package io.ringkernel.cuda.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NativeDirectoryTests {

	private final List<Process> processes = new ArrayList<>();

	@AfterEach
	void endProcesses() {
		this.processes.forEach(Process::destroyForcibly);
	}

	@Test
	void librariesAreUnpackedWhereOnlyThisUserCanWrite() throws IOException {
		String before = System.getProperty("java.io.tmpdir");
		AtomicReference<Path> directory = new AtomicReference<>();
		NativeDirectory.unpackInto(() -> directory.set(Path.of(System.getProperty("java.io.tmpdir"))));
		assertThat(directory.get()).isNotEqualTo(Path.of(before)).isDirectory();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.get())))
			.isEqualTo("rwx------");
		assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
	}

	@Test
	void whatWasUnpackedIsRemovedAndThePropertyRestoredAfterAFailure() {
		String before = System.getProperty("java.io.tmpdir");
		AtomicReference<Path> file = new AtomicReference<>();
		assertThatThrownBy(() -> NativeDirectory.unpackInto(() -> {
			file.set(Path.of(System.getProperty("java.io.tmpdir"), "libJCudaDriver-12.6.0-linux-x86_64.so"));
			try {
				Files.writeString(file.get(), "content");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			throw new UnsatisfiedLinkError("none");
		})).isInstanceOf(UnsatisfiedLinkError.class);
		assertThat(file.get()).doesNotExist();
		assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
	}

	@Test
	void whatAnotherThreadHasPutThereMeanwhileStays() throws IOException {
		AtomicReference<Path> file = new AtomicReference<>();
		NativeDirectory.unpackInto(() -> file.set(write("upload-1.tmp")));
		assertThat(file.get()).exists();
		Files.delete(file.get());
	}

	@Test
	void theDirectoryOfAKilledProcessIsRemovedAndThatOfARunningOneStays(@TempDir Path temporary) throws Exception {
		Path killed = unpackIn(temporary, true);
		Path running = unpackIn(temporary, false);
		FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
		Files.setLastModifiedTime(killed, old);
		Files.setLastModifiedTime(running, old);
		Path fresh = Files.createDirectory(temporary.resolve("ringkernel-natives-fresh"));
		Files.createFile(fresh.resolve("in-use"));
		Path other = unpackIn(temporary, true);
		assertThat(killed).doesNotExist();
		assertThat(running).exists();
		assertThat(fresh).exists();
		assertThat(other).exists();
	}

	/**
	 * Has another process make its directory.
	 * @param kill whether to kill it then
	 */
	private Path unpackIn(Path temporary, boolean kill) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Djava.io.tmpdir=" + temporary, "-cp", System.getProperty("java.class.path"),
				UnpackingProcess.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		this.processes.add(process);
		Path directory = Path
			.of(new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).lines()
				.filter((line) -> line.startsWith("directory: "))
				.findFirst()
				.orElseThrow()
				.substring("directory: ".length()));
		if (kill) {
			process.destroyForcibly().waitFor();
		}
		return directory;
	}

	private static Path write(String name) {
		try {
			return Files.writeString(Path.of(System.getProperty("java.io.tmpdir"), name), "content");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Makes its directory, and waits to be killed.
	 */
	static final class UnpackingProcess {

		private UnpackingProcess() {
		}

		public static void main(String... arguments) throws IOException {
			NativeDirectory.unpackInto(() -> {
				write("libJCudaDriver-12.6.0-linux-x86_64.so");
				System.out.println("directory: " + System.getProperty("java.io.tmpdir"));
			});
			System.in.read();
		}

	}

}
