package io.ringkernel.cuda.driver;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * The real driver, where there is none.
 */
class SystemDriverTests {

	@Test
	void aMissingDriverIsAnExceptionTheFirstTimeAndEveryTimeAfter() {
		CudaDriver driver = CudaDriver.system();
		assumeFalse(isInstalled(driver), "a CUDA driver is installed");
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(CudaUnavailableException.class).isThrownBy(driver::initialize).satisfies((ex) -> {
				assertThat(ex.reason()).isEqualTo("no CUDA driver is installed");
				assertThat(ex.remedy()).contains("nvidia".toUpperCase(java.util.Locale.ROOT));
			});
		}
	}

	private static boolean isInstalled(CudaDriver driver) {
		try {
			driver.initialize();
			return true;
		}
		catch (CudaUnavailableException ex) {
			return false;
		}
	}

}
