package io.ringkernel.cuda.nvrtc;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

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
	void anApplicationWithoutJnaIsToldItsName() {
		assertThatExceptionOfType(NvrtcUnavailableException.class)
			.isThrownBy(() -> NvrtcLibrary.requireJna(getClass().getClassLoader(), "com.sun.jna.None"))
			.withMessageContaining("JNA")
			.satisfies((ex) -> assertThat(ex.remedy()).contains("net.java.dev.jna:jna"));
	}

}
