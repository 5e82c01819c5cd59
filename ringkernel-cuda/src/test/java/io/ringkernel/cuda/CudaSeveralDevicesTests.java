package io.ringkernel.cuda;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Kernels on two devices of one process, of which one faults. The kernel of the other
 * goes on, since it needs no driver. The driver itself then answers every call of the
 * process with the fault (seen on two H200s with driver 580), so nothing can be launched
 * any more. Where the process sees fewer devices, it is skipped.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSeveralDevicesTests {

	@ParameterizedTest
	@ValueSource(ints = { FaultMessages.TRAP, FaultMessages.BAD_ADDRESS })
	void aKernelGoesOnWhereAnotherDeviceHasFaulted(int how, TestReporter reporter) throws Exception {
		assumeThat(CudaPlatform.system().devices()).as("devices that this process sees").isGreaterThanOrEqualTo(2);
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), SeveralDevicesProcess.class.getName(), String.valueOf(how))
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		reporter.publishEntry("output", output);
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(output).contains("before, sound: 200, faulting: 200")
			.contains("devices: 0, 1")
			.contains("after, sound: 200, launches: 0, ACTIVE")
			.contains("device 1: lost")
			.contains("alive");
	}

}
