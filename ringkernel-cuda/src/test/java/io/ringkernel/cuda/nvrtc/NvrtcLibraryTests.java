package io.ringkernel.cuda.nvrtc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.ringkernel.cuda.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Where NVRTC is looked for, and what is said where it is not.
 */
class NvrtcLibraryTests {

	@Test
	void theLinkerIsAskedForBothVersionsFirst() {
		assertThat(NvrtcLibrary.candidates("Linux", Map.of())).startsWith("libnvrtc.so.13", "libnvrtc.so.12")
			.contains("/usr/local/cuda/lib64/libnvrtc.so.12");
	}

	@Test
	void aToolkitThatTheEnvironmentNamesIsLookedInto() {
		assertThat(NvrtcLibrary.candidates("Linux", Map.of("CUDA_PATH", "/opt/cuda")))
			.contains("/opt/cuda/lib64/libnvrtc.so.13")
			.doesNotContain("/usr/local/cuda/lib64/libnvrtc.so.13");
	}

	@Test
	void windowsHasNamesOfItsOwn() {
		assertThat(NvrtcLibrary.candidates("Windows 11", Map.of())).containsExactly("nvrtc64_130_0.dll",
				"nvrtc64_120_0.dll");
	}

	@Test
	void aMachineWithoutNvrtcIsToldHowToGetIt() {
		assertThatExceptionOfType(NvrtcUnavailableException.class)
			.isThrownBy(() -> LoadedNvrtc.of(List.of("libnvrtc.so.never", "/none/libnvrtc.so.13")))
			.withMessage("NVRTC of CUDA 12 or 13 is not found (libnvrtc.so.never, /none/libnvrtc.so.13)")
			.satisfies((ex) -> assertThat(ex.remedy()).contains("CUDA_PATH"));
	}

	@Test
	void whereJnaCannotUnpackItsLibraryEachAttemptSaysSo(@TempDir Path directory) throws Exception {
		Path file = Files.createFile(directory.resolve("file"));
		String output = ChildJvm.run(List.of("-Djna.nosys=true", "-Djna.tmpdir=" + file), Map.of(), 60, Child.class);
		assertThat(output.lines()).hasSize(2)
			.allMatch((line) -> line.startsWith("JNA, which calls NVRTC, cannot load its own library ("))
			.allMatch((line) -> line.contains("jnidispatch") && line.contains("Set the system property jna.tmpdir"));
	}

	@Test
	void anApplicationWithoutJnaIsToldItsName() {
		assertThatExceptionOfType(NvrtcUnavailableException.class)
			.isThrownBy(() -> NvrtcLibrary.requireJna(getClass().getClassLoader(), "com.sun.jna.None"))
			.withMessageContaining("JNA")
			.satisfies((ex) -> assertThat(ex.remedy()).contains("net.java.dev.jna:jna"));
	}

	/**
	 * Asks for NVRTC twice, and prints why there is none.
	 */
	static final class Child {

		public static void main(String... arguments) {
			for (int i = 0; i < 2; i++) {
				try {
					Nvrtc.ofSystem();
				}
				catch (NvrtcUnavailableException ex) {
					System.out.println(ex.getMessage() + ". " + ex.remedy());
				}
			}
		}

	}

}
