package io.ringkernel.cuda;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel that breaks takes nothing with it but itself, and the use of CUDA in its
 * process; and whoever waits is told.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaFaultTests {

	@ParameterizedTest
	@ValueSource(ints = { FaultMessages.TRAP, FaultMessages.BAD_ADDRESS })
	void aFaultFailsTheKernelAndTheApplicationGoesOn(int how, TestReporter reporter) throws Exception {
		String output = run(how, reporter);
		assertThat(output).contains("answer: Fault[sequence=1, how=0]")
			.containsPattern("call: (done|RequestLostException|KernelTerminatedException|RequestTimeoutException)")
			.contains("state: FAILED")
			.contains("call again: KernelNotActiveException")
			.contains("relaunch: KernelLaunchException")
			.contains("lost the device")
			.contains("alive");
	}

	@Test
	void aKernelThatExitsFailsAloneAndIsRelaunched(TestReporter reporter) throws Exception {
		String output = run(FaultMessages.EXIT, reporter);
		assertThat(output).contains("call: ").contains("relaunch: done").contains("close: done").contains("alive");
	}

	private static String run(int how, TestReporter reporter) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), FaultedProcess.class.getName(), String.valueOf(how))
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		reporter.publishEntry("output", output);
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		return output;
	}

}
