package io.ringkernel.cuda.driver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NativePlatformTests {

	@ParameterizedTest
	@CsvSource({ "Linux, amd64", "Linux, x86_64", "Windows 11, amd64", "Windows Server 2025, amd64" })
	void jCudaHasNativesForLinuxAndWindowsOnX86(String system, String architecture) {
		assertThat(new NativePlatform(system, architecture).hasJCuda()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "Mac OS X, aarch64", "Mac OS X, x86_64", "Linux, aarch64", "Linux, riscv64", "Windows 11, aarch64",
			"Windows 10, x86", "FreeBSD, amd64" })
	void elsewhereCudaIsUnavailableForAReasonThatNamesThePlatform(String system, String architecture) {
		CudaDriver driver = new JCudaDriverCalls(new NativePlatform(system, architecture));
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(CudaUnavailableException.class).isThrownBy(driver::initialize).satisfies((ex) -> {
				assertThat(ex.reason()).isEqualTo("there is no CUDA on %s: JCuda has no native library for it"
					.formatted(system + "/" + architecture));
				assertThat(ex.remedy()).isEqualTo("Use the CPU backend, or run on Linux or Windows on x86-64.");
				assertThat(ex).hasNoCause();
			});
		}
	}

	@Test
	void thePlatformIsThatOfTheJvm() {
		assertThat(NativePlatform.current())
			.hasToString(System.getProperty("os.name") + "/" + System.getProperty("os.arch"));
	}

}
