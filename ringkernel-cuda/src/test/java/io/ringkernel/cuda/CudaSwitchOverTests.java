package io.ringkernel.cuda;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.BlockableDriver;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A driver that a running kernel begins to block, on a device and under load: the kernel
 * is launched on demand from then on. Or one whose kernels no longer see mapped memory:
 * then it goes on over a bridge. How long the longest call took meanwhile is printed, and
 * held against {@code ringkernel.switch-over.limit-millis} where that is set: while the
 * driver is given time to answer, the kernel answers on, so all of it is beyond the
 * deadline of the call that has failed.
 */
@RequiresGpu
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSwitchOverTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final int ROUNDS = Integer.getInteger("ringkernel.switch-over.rounds", 2);

	private static final int CALLERS = 4;

	/** How long a kernel that is launched may give no sign of life. */
	private static final Duration SILENCE = Duration.ofMillis(200);

	private final BlockableDriver driver = new BlockableDriver();

	private final CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));

	private final AtomicLong answered = new AtomicLong();

	@Test
	void aKernelThatBlocksTheDriverIsLaunchedOnDemandAndNoMessageIsLost() throws Exception {
		List<Long> pauses = new ArrayList<>();
		this.platform.device().timings().patience(Duration.ofMillis(500));
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(new CudaBackendProvider(this.platform), new CpuBackendProvider()))) {
			Kernel<Echo, Echo> kernel = runtime
				.define(new CudaTestKernels().echo(KernelOptions.builder().workers(4).requestTimeout(LIMIT).build()));
			for (int round = 0; round < ROUNDS; round++) {
				this.driver.block(false);
				kernel.relaunch();
				assertThat(kernel.status().plan().mode()).isEqualTo(ExecutionMode.PERSISTENT);
				pauses.add(switchOver(kernel, () -> this.driver.block(true),
						(plan) -> plan.mode() == ExecutionMode.EVENT_DRIVEN));
				assertHandledOnce(kernel);
			}
		}
		report("persistent -> event-driven", pauses);
	}

	@Test
	void aKernelThatNoLongerSeesMappedMemoryGoesOnOverABridgeAndNoMessageIsLost() throws Exception {
		List<Long> pauses = new ArrayList<>();
		this.platform.device().timings().patience(SILENCE.multipliedBy(3));
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(null, ExecutionMode.EVENT_DRIVEN, null),
				List.of(new CudaBackendProvider(this.platform), new CpuBackendProvider()))) {
			Kernel<Echo, Echo> kernel = runtime
				.define(new CudaTestKernels().echo(KernelOptions.builder().workers(4).requestTimeout(LIMIT).build()));
			for (int round = 0; round < ROUNDS; round++) {
				this.driver.hideMappedMemory(false);
				kernel.relaunch();
				assertThat(kernel.status().plan().transport()).isEqualTo(Transport.MAPPED);
				pauses.add(switchOver(kernel, () -> this.driver.hideMappedMemory(true),
						(plan) -> plan.transport() == Transport.BRIDGED));
				assertThat(kernel.status().plan().backend()).isEqualTo(BackendKind.CUDA);
				assertHandledOnce(kernel);
			}
		}
		// For so long nothing tells of it but that nobody is answered.
		report("event-driven/mapped -> event-driven/bridged",
				pauses.stream().map((nanos) -> Math.max(0, nanos - SILENCE.toNanos())).toList());
	}

	private void assertHandledOnce(Kernel<Echo, Echo> kernel) {
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(kernel.status().processed()).as("each request is handled once")
				.isEqualTo(this.answered.get()));
	}

	/**
	 * Has callers call before, while and after something happens that fails the plan.
	 * @return the longest call since, in nanoseconds
	 */
	private long switchOver(Kernel<Echo, Echo> kernel, Runnable event, Predicate<ExecutionPlan> next)
			throws InterruptedException {
		AtomicBoolean done = new AtomicBoolean();
		AtomicLong longest = new AtomicLong();
		Concurrently.Running callers = Concurrently.start(CALLERS, (caller) -> {
			for (long sequence = 0; !done.get(); sequence++) {
				Echo request = Echo.of(caller, sequence);
				long begin = System.nanoTime();
				assertThat(kernel.client().call(request)).isEqualTo(request);
				longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
				this.answered.incrementAndGet();
			}
		});
		awaitMore();
		longest.set(0);
		event.run();
		Awaitility.await().atMost(LIMIT).until(() -> next.test(kernel.status().plan()));
		awaitMore();
		done.set(true);
		callers.join(LIMIT);
		return longest.get();
	}

	private void awaitMore() {
		long before = this.answered.get();
		Awaitility.await().atMost(LIMIT).until(() -> this.answered.get() > before + 400);
	}

	private void report(String what, List<Long> pauses) {
		double millis = Collections.max(pauses) / 1e6;
		System.out.printf(
				"switch-over %s under load: %d times, %d messages, 0 lost, longest call %.1f ms beyond what it takes to tell (each: %s)%n",
				what, ROUNDS, this.answered.get(), millis,
				pauses.stream().map((nanos) -> "%.1f".formatted(nanos / 1e6)).toList());
		Integer limit = Integer.getInteger("ringkernel.switch-over.limit-millis");
		if (limit != null) {
			assertThat(millis).isLessThanOrEqualTo(limit);
		}
	}

}
