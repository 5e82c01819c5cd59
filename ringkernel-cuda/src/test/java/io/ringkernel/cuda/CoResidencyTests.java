package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.FunctionAttributes;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Kernels that find a place beside others on a device of eight multiprocessors, and
 * kernels that do not although the sum of their shares would have them fit.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoResidencyTests {

	private static final PlanRequest PERSISTENT = new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, null);

	/** With these, a block of 1024 threads takes all registers of a multiprocessor. */
	private static final FunctionAttributes WHOLE = new FunctionAttributes(1024, 64, 0, 0);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private final CudaPlatform platform = new CudaPlatform(this.driver);

	private RingKernelRuntime runtime = open(PERSISTENT);

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void aFewSmallBlocksKeepALargeOneFromEveryMultiprocessorThatTheyAreOn() {
		Kernel<Echo, Echo> small = active("small", 2, 16);
		Kernel<Echo, Echo> large = define("large", 7, 1);
		large.launch();
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(large::activate)
			.withMessageContaining("1 of its 7 workers gave no sign of life within")
			.withMessageContaining(
					"its 7 blocks, of which a multiprocessor holds 1, find no place on the device, beside 'small' "
							+ "(2 blocks of 1024 threads, of which a multiprocessor holds 16)")
			.withMessageEndingWith("Lower the workers or threads-per-worker of one of them, run one on another device, "
					+ "or terminate one.");
		assertThat(large.state()).isEqualTo(KernelState.FAILED);
		assertThat(answers(small)).isTrue();
	}

	@Test
	void aBlockOfHalfAMultiprocessorOnEachLeavesNoPlaceForSlightlyLargerOnes() {
		Kernel<Echo, Echo> halves = active("halves", 8, 2);
		Kernel<Echo, Echo> larger = define("larger", 4, 1);
		larger.launch();
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(larger::activate)
			.withMessageContaining("4 of its 4 workers gave no sign of life")
			.withMessageContaining("beside 'halves' (8 blocks");
		assertThat(answers(halves)).isTrue();
		halves.terminate();
		larger.relaunch();
		assertThat(answers(larger)).isTrue();
	}

	@Test
	void kernelsThatFitRunSideBySide() {
		Kernel<Echo, Echo> large = active("large", 6, 1);
		Kernel<Echo, Echo> small = active("small", 2, 16);
		assertThat(answers(large)).isTrue();
		assertThat(answers(small)).isTrue();
	}

	@Test
	void underAutoAKernelWithoutAPlaceRunsOnTheCpuAndSaysWhy() {
		this.runtime.close();
		this.runtime = open(PlanRequest.AUTO);
		Kernel<Echo, Echo> halves = active("halves", 8, 2);
		Kernel<Echo, Echo> larger = active("larger", 4, 1);
		assertThat(larger.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(larger.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(larger.plan().reasons()).anySatisfy((reason) -> assertThat(reason).contains("beside 'halves'"));
		assertThat(answers(larger)).isTrue();
		assertThat(answers(halves)).isTrue();
		assertThat(halves.plan().backend()).isEqualTo(BackendKind.CUDA);
	}

	@Test
	void aKernelHasAsManyWorkersAsBlocksFindAPlaceForCertain() {
		this.context.attributes(WHOLE);
		Kernel<Echo, Echo> small = active("small", 2, 16);
		Kernel<Echo, Echo> large = active("large", 7, 1);
		assertThat(large.plan().mode()).isEqualTo(ExecutionMode.PERSISTENT);
		assertThat(large.status().workers()).isEqualTo(6);
		assertThat(large.launchParameters()).containsEntry("blocks", 6);
		for (int i = 0; i < 3 * large.status().slots(); i++) {
			assertThat(answers(large)).isTrue();
		}
		small.terminate();
		large.relaunch();
		assertThat(large.status().workers()).isEqualTo(7);
		assertThat(answers(large)).isTrue();
	}

	@Test
	void aKernelThatStaysLeavesAPlaceToOneThatIsLaunchedOnDemand() {
		this.context.attributes(WHOLE);
		try (RingKernelRuntime onDemand = onDemand()) {
			Kernel<Echo, Echo> demanded = demanded(onDemand, 1);
			Kernel<Echo, Echo> filling = active("filling", 8, 1);
			assertThat(filling.status().workers()).isEqualTo(7);
			assertThat(answers(filling)).isTrue();
			assertThat(answers(demanded)).isTrue();
		}
	}

	@Test
	void aKernelOfWhichSomeBlocksFindNoPlaceBesideThoseThatStayIsNotLaunchedOnDemandEither() {
		this.runtime.close();
		this.runtime = open(PlanRequest.AUTO);
		Kernel<Echo, Echo> small = active("small", 2, 16);
		Kernel<Echo, Echo> large = active("large", 7, 1);
		assertThat(large.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(large.plan().reasons()).anySatisfy((reason) -> assertThat(reason)
			.contains("event-driven/mapped could not take over, because 1 of its 7 workers gave no sign of life"));
		assertThat(answers(large)).isTrue();
		assertThat(answers(small)).isTrue();
	}

	@Test
	void kernelsThatFindNoPlaceBesideEachOtherDoNotWaitForTheTimeLimitOfALaunch() {
		try (RingKernelRuntime onDemand = onDemand()) {
			this.runtime.close();
			this.runtime = onDemand;
			Kernel<Echo, Echo> first = active("first", 8, 1);
			Kernel<Echo, Echo> second = active("second", 8, 1);
			for (int i = 0; i < 20; i++) {
				assertThat(answers(first)).isTrue();
				assertThat(answers(second)).isTrue();
			}
			assertThat(first.status().loopLaunches()).isGreaterThanOrEqualTo(20);
		}
	}

	@Test
	void kernelsBeyondThoseThatMayStayAreLaunchedOnDemand() {
		this.runtime.close();
		this.runtime = open(PlanRequest.AUTO);
		this.platform.device().admission().mostStaying(3);
		List<Kernel<Echo, Echo>> kernels = IntStream.range(0, 5).mapToObj((i) -> active("echo-" + i, 1, 16)).toList();
		assertThat(kernels.subList(0, 3)).extracting((kernel) -> kernel.plan().mode())
			.containsOnly(ExecutionMode.PERSISTENT);
		assertThat(kernels.subList(3, 5)).extracting(Kernel::plan)
			.allSatisfy((plan) -> assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN))
			.allSatisfy((plan) -> assertThat(plan.reasons()).anySatisfy((reason) -> assertThat(reason)
				.contains("3 persistent kernels run already, and a device runs 3 of them")));
		assertThat(kernels).allSatisfy((kernel) -> assertThat(answers(kernel)).isTrue());
	}

	@Test
	void aKernelIsNotTriedOnPlacesThatOneWhichYieldedForItIsAboutToTakeAgain() {
		this.runtime.close();
		this.runtime = open(PlanRequest.AUTO);
		Kernel<Echo, Echo> halves = active("halves", 8, 2);
		this.context.launches().delay("halves", Duration.ofMillis(100));
		Kernel<Echo, Echo> larger = active("larger", 4, 1);
		assertThat(larger.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(answers(larger)).isTrue();
		assertThat(answers(halves)).isTrue();
	}

	@Test
	void aKernelThatStaysIsRefusedIfItLeavesNoPlaceForOneThatIsLaunchedOnDemand() {
		try (RingKernelRuntime onDemand = onDemand()) {
			Kernel<Echo, Echo> demanded = demanded(onDemand, 2);
			Kernel<Echo, Echo> filling = define("filling", 8, 1);
			filling.launch();
			assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(filling::activate)
				.withMessageContaining(
						"its 8 blocks, of which a multiprocessor holds 1, would leave no place on the device "
								+ "for 'demanded' (1 blocks of 1024 threads, of which a multiprocessor holds 2)");
			assertThat(answers(demanded)).isTrue();
			Kernel<Echo, Echo> smaller = active("smaller", 7, 1);
			assertThat(answers(smaller)).isTrue();
			assertThat(answers(demanded)).isTrue();
		}
	}

	@Test
	void nothingIsLaunchedBehindATrialThatHasNotEndedInTime() {
		try (RingKernelRuntime onDemand = onDemand()) {
			Kernel<Echo, Echo> demanded = demanded(onDemand, 1);
			this.context.launches().delay("demanded", Duration.ofMillis(1300));
			Kernel<Echo, Echo> filling = define("filling", 7, 1);
			filling.launch();
			assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(filling::activate)
				.withMessageContaining("'demanded'");
			assertThat(answers(demanded)).isTrue();
			assertThat(this.context.launches().behindOthers()).isZero();
		}
	}

	private RingKernelRuntime onDemand() {
		return open(new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, null));
	}

	/**
	 * A kernel of another runtime than that of the other kernels, which has answered.
	 */
	private Kernel<Echo, Echo> demanded(RingKernelRuntime onDemand, int perMultiprocessor) {
		RingKernelRuntime persistent = this.runtime;
		this.runtime = onDemand;
		Kernel<Echo, Echo> demanded = active("demanded", 1, perMultiprocessor);
		this.runtime = persistent;
		assertThat(answers(demanded)).isTrue();
		return demanded;
	}

	private RingKernelRuntime open(PlanRequest request) {
		RingKernelRuntime opened = RingKernelRuntime.open(request,
				List.of(new CudaBackendProvider(this.platform), new CpuBackendProvider()));
		this.platform.device().timings().patience(Duration.ofMillis(900));
		return opened;
	}

	private Kernel<Echo, Echo> active(String id, int blocks, int perMultiprocessor) {
		Kernel<Echo, Echo> kernel = define(id, blocks, perMultiprocessor);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private Kernel<Echo, Echo> define(String id, int blocks, int perMultiprocessor) {
		this.context.launches().blocksPerMultiprocessor(id, perMultiprocessor);
		return this.runtime.define(this.context.install(CudaTestKernels.renamed(id,
				new CpuTestKernels().echo(KernelOptions.builder().workers(blocks).threadsPerWorker(1024).build()))));
	}

	private static boolean answers(Kernel<Echo, Echo> kernel) {
		Echo request = Echo.of(1, 2);
		return kernel.client().call(request).equals(request);
	}

}
