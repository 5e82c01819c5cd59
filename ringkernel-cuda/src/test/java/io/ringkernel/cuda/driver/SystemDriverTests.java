package io.ringkernel.cuda.driver;

import java.util.List;
import java.util.Map;

import io.ringkernel.cuda.ChildJvm;
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

	@Test
	void aPlaceThatNothingCanBeUnpackedToIsNamedWithItsProperty() throws Exception {
		assertThat(ChildJvm.run(List.of("-Djava.io.tmpdir=/none"), Map.of(), 60, Child.class))
			.contains("cannot be unpacked: java.nio.file.NoSuchFileException: /none/")
			.contains("Set java.io.tmpdir");
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

	/**
	 * Prints why there is no driver.
	 */
	static final class Child {

		public static void main(String... arguments) {
			try {
				CudaDriver.system().initialize();
			}
			catch (CudaUnavailableException ex) {
				System.out.println(ex.reason() + ". " + ex.remedy());
			}
		}

	}

}
