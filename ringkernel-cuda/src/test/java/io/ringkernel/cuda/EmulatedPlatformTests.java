package io.ringkernel.cuda;

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * On each platform a kernel either runs or is refused with what is missing; whatever
 * breaks later, its user is told, and the process goes on.
 */
@Tag("gpu")
@Tag("every-platform")
@ExtendWith(EmulatedPlatform.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmulatedPlatformTests {

	private static final int SECONDS = 90;

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			old-gpu        | compute capability 6.1 and 7.0 is needed
			old-driver     | the driver is for CUDA 11.8 and 12.4 is needed
			no-device      | there is no CUDA device
			stub-library   | only the toolkit's stub of the driver was found
			out-of-memory  | CUDA_ERROR_OUT_OF_MEMORY
			launch-failure | CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
			""")
	void whatCannotRunIsRefusedWithWhatIsMissing(String platform, String reason) throws Exception {
		assertThat(use(platform, 0)).contains("refused: ").contains(reason).contains("alive");
	}

	@Test
	void aKernelThatMayStayStays() throws Exception {
		assertThat(use("native-linux", 500)).contains("mode=PERSISTENT", "transport=MAPPED")
			.contains("answered: some")
			.contains("state: ACTIVE")
			.contains("relaunch: done")
			.contains("close: done");
	}

	@Test
	void aSlowDriverIsUsedAllTheSame() throws Exception {
		assertThat(use("slow-device", 500)).contains("answered: some")
			.contains("state: ACTIVE")
			.contains("close: done");
	}

	/** Else a command would be overwritten by the one before it. */
	@Test
	void whatIsCopiedLaterArrivesLater() throws Exception {
		assertThat(use("late-copies", 500, "EVENT_DRIVEN", "BRIDGED"))
			.contains("mode=EVENT_DRIVEN", "transport=BRIDGED")
			.contains("neighbours: done")
			.contains("close: done");
	}

	@Test
	void underWsl2HostMemoryIsNotMapped() throws Exception {
		assertThat(use("wsl2", 500)).contains("host memory cannot be mapped").contains("alive");
	}

	@Test
	void underWsl2NoPublicCallBlocksForLongerThanItsDeadline() throws Exception {
		String printed = EmulatedPlatform.run("wsl2", Map.of(), SECONDS, DeadlinesProcess.class);
		assertThat(printed).contains("host memory cannot be mapped", "in time: Kernel.status", "done")
			.doesNotContain("LATE", "UNCALLED");
	}

	@Test
	void whatTheInterposerImposesIsAsUnderWsl2() throws Exception {
		Map<String, String> variables = Map.of("LD_PRELOAD", EmulatedPlatform.interposer(),
				"RINGKERNEL_INTERPOSED_PLATFORM", "wsl2");
		assertThat(EmulatedPlatform.run("native-linux", variables, SECONDS, PlatformProcess.class, "500"))
			.contains("host memory cannot be mapped")
			.contains("alive");
	}

	@Test
	void whereKernelsAreEndedAfterAWhileTheyAreLaunchedOnDemand() throws Exception {
		assertThat(use("wddm", 3000)).contains("mode=EVENT_DRIVEN")
			.contains("the driver limits how long a kernel may run")
			.contains("answered: some")
			.contains("state: ACTIVE")
			.contains("close: done");
	}

	@ParameterizedTest
	@CsvSource({ "sticky-fault, CUDA_ERROR_ILLEGAL_ADDRESS", "lost-device, CUDA_ERROR_UNKNOWN" })
	void aDeviceThatIsLostFailsTheKernelAndTheProcessGoesOn(String platform, String error) throws Exception {
		assertThat(use(platform, 30_000)).contains("answered: some")
			.contains("call: ")
			.contains("state: FAILED")
			.contains(error)
			.contains("relaunch: KernelLaunchException")
			.contains("alive");
	}

	@Test
	void aDriverThatDoesNotReturnHoldsNobodyUpForEver() throws Exception {
		assertThat(use("hung-device", 30_000)).contains("answered: some")
			.contains("call: ")
			.doesNotContain("relaunch: done")
			.contains("alive");
	}

	@Test
	void aKernelFinishesWhatItHasBegunWhereTheDriverReportsTheFaultOfAnotherDevice() throws Exception {
		String printed = EmulatedPlatform.run("native-linux", Map.of("RINGKERNEL_EMULATED_DEVICES", "2"), SECONDS,
				SeveralDevicesProcess.class, String.valueOf(FaultMessages.BAD_ADDRESS));
		assertThat(printed).contains("before, sound: 200, faulting: 200")
			.contains("devices: 0, 1")
			.contains("begun before the fault: answered")
			.contains("device 0: lost")
			.contains("device 1: lost")
			.contains("relaunch failed")
			.contains("alive");
	}

	private static String use(String platform, int millis, String... plan) throws Exception {
		String[] arguments = Stream.concat(Stream.of(String.valueOf(millis)), Stream.of(plan)).toArray(String[]::new);
		// The device is lost while the kernel is used, and not while it is launched.
		return EmulatedPlatform.run(platform, Map.of("RINGKERNEL_EMULATED_LOSS_MILLIS", "4000"), SECONDS,
				PlatformProcess.class, arguments);
	}

}
