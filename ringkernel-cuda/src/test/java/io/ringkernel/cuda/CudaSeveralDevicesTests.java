package io.ringkernel.cuda;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Kernels on two devices of one application, of which one faults. Where there are fewer
 * devices, it is skipped.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSeveralDevicesTests {

	private static final boolean EMULATED = System.getProperty("ringkernel.emulated-driver") != null;

	@BeforeAll
	static void thereAreTwo() {
		assumeThat(EMULATED || CudaPlatform.system().devices() >= 2).as("whether this machine has two devices")
			.isTrue();
	}

	/**
	 * The kernel of the other device goes on, since it needs no driver. The driver itself
	 * then answers every call of the process with the fault (seen on two H200s with
	 * driver 580), so nothing can be launched any more. A kernel about which the driver
	 * is asked, because a caller waits for long, ends with what it has begun. On a loaded
	 * machine without a device, callers of both kernels wait for long.
	 */
	@ParameterizedTest
	@ValueSource(ints = { FaultMessages.TRAP, FaultMessages.BAD_ADDRESS })
	void aKernelGoesOnWhereAnotherDeviceHasFaulted(int how, TestReporter reporter) throws Exception {
		assertThat(run(SeveralDevicesProcess.class, how, reporter)).contains("before, sound: 200, faulting: 200")
			.contains("devices: 0, 1")
			.contains(EMULATED ? "after, sound: " : "after, sound: 200, launches: 0, ACTIVE")
			.contains("begun before the fault: answered")
			.contains("device 1: lost")
			.contains("alive");
	}

	/**
	 * Each device has a kernel host, so the one that has faulted is used again.
	 */
	@ParameterizedTest
	@ValueSource(ints = { FaultMessages.TRAP, FaultMessages.BAD_ADDRESS })
	void aReplicaReturnsToItsDeviceAndTheOtherOneServesOn(int how, TestReporter reporter) throws Exception {
		assertThat(run(ReplicasProcess.class, how, reporter)).contains("routed: 200 [CUDA 0: some, CUDA 1: some]")
			.contains("broadcast: 2")
			.contains("resized: 200 [CUDA 0: some, CUDA 1: some, CUDA 0: some, CUDA 1: some]")
			.contains("sound: 200, routed: 200")
			.contains("back: 200 [CUDA 0: some, CUDA 1: some]")
			.contains("launches of the sound one: 0")
			.contains("alive");
	}

	/** Two requests came after the snapshot, and what they did is lost. */
	@Test
	void aReplicaGoesOnOnAnotherDeviceWithItsStateAndReturns(@TempDir Path directory, TestReporter reporter)
			throws Exception {
		assertThat(run(MovedReplicaProcess.class, directory, reporter)).contains("before: 4, 2")
			.containsSubsequence("counter.0 to device 1", "counter.0 to device 0", "alive")
			.contains("moved: 6")
			.contains("returned: 7, 3");
	}

	private static String run(Class<?> main, Object argument, TestReporter reporter) throws Exception {
		Path output = Files.createTempFile("several-devices-", ".log");
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-cp", System.getProperty("java.class.path"), main.getName(), String.valueOf(argument))
			.redirectErrorStream(true)
			.redirectOutput(output.toFile());
		if (EMULATED) {
			builder.environment().put("RINGKERNEL_EMULATED_DEVICES", "2");
		}
		Process process = builder.start();
		boolean ended = process.waitFor(90, TimeUnit.SECONDS);
		process.destroyForcibly().waitFor();
		String text = Files.readString(output, StandardCharsets.UTF_8);
		Files.delete(output);
		reporter.publishEntry("output", text);
		assertThat(ended).as(text).isTrue();
		return text;
	}

}
