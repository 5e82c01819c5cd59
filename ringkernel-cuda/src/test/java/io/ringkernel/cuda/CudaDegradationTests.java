package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedPlatform;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A platform that stops doing what a plan relies on, while the kernel is used.
 * {@link CudaSwitchOverTests} has mapped memory that a device no longer sees.
 */
@Timeout(120)
class CudaDegradationTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final PlanRequest EVENT_DRIVEN = new PlanRequest(null, ExecutionMode.EVENT_DRIVEN, null);

	private static final CudaStatus ILLEGAL_ADDRESS = new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS");

	private static final CudaStatus OUT_OF_RESOURCES = new CudaStatus(701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private final CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));

	private final List<KernelPlanChange> changes = new CopyOnWriteArrayList<>();

	private final AtomicLong handled = new AtomicLong();

	private RingKernelRuntime runtime;

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void aDriverThatARunningKernelBlocksHasItLaunchedOnDemandFromThenOn() throws Exception {
		Kernel<Echo, Echo> kernel = activate(PlanRequest.AUTO);
		assertThat(kernel.status().plan().mode()).isEqualTo(ExecutionMode.PERSISTENT);
		underLoad(kernel, () -> {
			this.context.platform(SimulatedPlatform.LINUX.withoutWorkBeside());
			Awaitility.await().atMost(LIMIT).until(() -> kernel.status().plan().mode() == ExecutionMode.EVENT_DRIVEN);
		});
		assertThat(kernel.status().plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(kernel.status().plan().reasons()).anySatisfy(
				(reason) -> assertThat(reason).contains("not persistent/mapped", "the driver has not returned"));
		assertDegradedOnce();
	}

	@Test
	void aKernelThatCannotBeLaunchedAnyMoreGoesOnOnTheCpu() throws Exception {
		Kernel<Echo, Echo> kernel = activate(EVENT_DRIVEN);
		underLoad(kernel, () -> {
			failLaunches();
			Awaitility.await().atMost(LIMIT).until(() -> kernel.status().plan().backend() == BackendKind.CPU);
		});
		assertThat(kernel.status().plan().reasons())
			.anySatisfy((reason) -> assertThat(reason).contains("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"));
		assertDegradedOnce();
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aFaultOfTheDeviceHasEveryKernelGoOnOnTheCpu(ExecutionMode mode) throws Exception {
		Kernel<Echo, Echo> kernel = activate(new PlanRequest(null, mode, null));
		Kernel<Echo, Echo> idle = this.runtime.define(
				this.context.install(KernelSpec.of("idle", Echo.class, Echo.class, (request) -> request, options())));
		idle.launch();
		idle.activate();
		underLoad(kernel, () -> {
			this.context.faultAfterTheEnd(ILLEGAL_ADDRESS);
			Awaitility.await().atMost(LIMIT).until(() -> kernel.status().plan().backend() == BackendKind.CPU);
		});
		assertThat(kernel.status().inFlight()).isZero();
		assertThat(idle.client().call(Echo.of(1, 1), LIMIT)).isEqualTo(Echo.of(1, 1));
		// The loop that goes on may answer before the plan is that of it.
		Awaitility.await().atMost(LIMIT).until(() -> idle.status().plan().backend() == BackendKind.CPU);
		assertThat(idle.status().plan().reasons())
			.anySatisfy((reason) -> assertThat(reason).contains("lost the device", "CUDA_ERROR_ILLEGAL_ADDRESS"));
		awaitChanges(2);
		assertThat(this.changes).allSatisfy((change) -> {
			assertThat(change.degraded()).isTrue();
			assertThat(change.isStateKept()).isFalse();
		});
	}

	@Test
	void afterAFaultARelaunchAndAnotherKernelRunOnTheCpu() {
		Kernel<Echo, Echo> kernel = activate(PlanRequest.AUTO);
		this.context.faultAfterTheEnd(ILLEGAL_ADDRESS);
		assertThat(kernel.client().call(Echo.of(1, 1), LIMIT)).isEqualTo(Echo.of(1, 1));
		kernel.relaunch();
		assertThat(kernel.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		assertThat(kernel.status().plan().backend()).isEqualTo(BackendKind.CPU);
		Kernel<Echo, Echo> other = this.runtime.define(
				this.context.install(KernelSpec.of("other", Echo.class, Echo.class, (request) -> request, options())));
		other.launch();
		other.activate();
		assertThat(other.client().call(Echo.of(1, 3), LIMIT)).isEqualTo(Echo.of(1, 3));
		assertThat(other.status().plan().backend()).isEqualTo(BackendKind.CPU);
	}

	@Test
	void whereCudaIsDemandedAFaultFailsTheKernelAndNothingIsInFlight() {
		Kernel<Echo, Echo> kernel = activate(new PlanRequest(BackendKind.CUDA, null, null));
		this.context.faultAfterTheEnd(ILLEGAL_ADDRESS);
		assertThat(kernel.client().submit(Echo.of(1, 1), LIMIT)).failsWithin(LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().state() == KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("CUDA_ERROR_ILLEGAL_ADDRESS", "Restart the application")
			.doesNotContain("Relaunch");
		assertThat(kernel.status().inFlight()).isZero();
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(kernel::relaunch)
			.withMessageContaining("lost the device")
			.withMessageContaining("Restart the application");
	}

	@Test
	void aRelaunchGoesBackToWhatWasPlanned() throws Exception {
		Kernel<Echo, Echo> kernel = activate(EVENT_DRIVEN);
		failLaunches();
		assertThat(kernel.client().call(Echo.of(1, 1), LIMIT)).isEqualTo(Echo.of(1, 1));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().plan().backend() == BackendKind.CPU);
		this.context.before("cuLaunchKernel", () -> {
		});
		kernel.relaunch();
		assertThat(kernel.status().plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(kernel.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		awaitChanges(2);
		assertThat(this.changes).extracting(KernelPlanChange::degraded).containsExactly(true, false);
	}

	@Test
	void aKernelThatNeverShowsASignOfLifeIsLaunchedOnDemand() {
		this.platform.device().timings().patience(Duration.ofMillis(300));
		open(PlanRequest.AUTO);
		Kernel<Echo, Echo> kernel = this.runtime.define(echo());
		kernel.launch();
		this.context.launches().muteNext();
		kernel.activate();
		assertThat(kernel.client().call(Echo.of(1, 1), LIMIT)).isEqualTo(Echo.of(1, 1));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().plan().mode() == ExecutionMode.EVENT_DRIVEN);
		assertThat(this.handled).hasValue(1);
	}

	@Test
	void nobodyElseTouchesTheRingBeforeTheKernelHasEnded() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		this.platform.device().timings().patience(Duration.ofMillis(200));
		open(PlanRequest.AUTO);
		Kernel<Echo, Echo> kernel = this.runtime
			.define(this.context.install(KernelSpec.of("held", Echo.class, Echo.class, (request) -> {
				this.handled.incrementAndGet();
				begun.countDown();
				release.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
				return request;
			}, options().toBuilder().workers(1).build())));
		kernel.launch();
		kernel.activate();
		CompletableFuture<Echo> first = kernel.client().submit(Echo.of(1, 1), LIMIT);
		CompletableFuture<Echo> queued = kernel.client().submit(Echo.of(1, 2), LIMIT);
		assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
		this.context.platform(SimulatedPlatform.LINUX.withoutWorkBeside());
		// It is asked to end, and cannot before its handler returns.
		Awaitility.await()
			.during(Duration.ofSeconds(1))
			.atMost(LIMIT)
			.until(() -> kernel.status().plan().mode() == ExecutionMode.PERSISTENT && !queued.isDone());
		release.countDown();
		assertThat(first).succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 1));
		assertThat(queued).succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 2));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().plan().mode() == ExecutionMode.EVENT_DRIVEN);
		assertThat(this.handled).hasValue(2);
	}

	@Test
	void memoryThatCanNoLongerBeMappedHasTheNextLaunchBridged() {
		Kernel<Echo, Echo> kernel = activate(PlanRequest.AUTO);
		this.context.platform(new SimulatedPlatform(false, true, true, true));
		kernel.relaunch();
		assertThat(kernel.status().plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(kernel.status().plan().transport()).isEqualTo(Transport.BRIDGED);
		assertThat(kernel.client().call(Echo.of(1, 1), LIMIT)).isEqualTo(Echo.of(1, 1));
	}

	@Test
	void aPlanThatWasDemandedFailsWithTheReason() {
		Kernel<Echo, Echo> kernel = activate(new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, null));
		failLaunches();
		CompletableFuture<Echo> reply = kernel.client().submit(Echo.of(1, 1), LIMIT);
		assertThat(reply).failsWithin(LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().state() == KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
	}

	private void failLaunches() {
		this.context.before("cuLaunchKernel", () -> {
			throw new CudaException("cuLaunchKernel", OUT_OF_RESOURCES);
		});
	}

	/**
	 * Has four callers call all the time, before, while and after something happens.
	 */
	private void underLoad(Kernel<Echo, Echo> kernel, Runnable event) throws InterruptedException {
		AtomicBoolean done = new AtomicBoolean();
		AtomicLong answered = new AtomicLong();
		Concurrently.Running callers = Concurrently.start(4, (caller) -> {
			for (long sequence = 0; !done.get(); sequence++) {
				Echo request = Echo.of(caller, sequence);
				Echo reply = (sequence % 2 == 0) ? kernel.client().call(request, LIMIT)
						: kernel.client().submit(request, LIMIT).join();
				assertThat(reply).isEqualTo(request);
				answered.incrementAndGet();
			}
		});
		Awaitility.await().atMost(LIMIT).until(() -> answered.get() > 200);
		event.run();
		long before = answered.get();
		Awaitility.await().atMost(LIMIT).until(() -> answered.get() > before + 200);
		done.set(true);
		callers.join(LIMIT);
		assertThat(this.handled).as("each request is handled once").hasValue(answered.get());
	}

	/**
	 * A change is published after the plan is that of it.
	 */
	private void awaitChanges(int count) throws InterruptedException {
		Awaitility.await().atMost(LIMIT).until(() -> this.changes.size() >= count);
		this.runtime.awaitListeners(LIMIT);
		assertThat(this.changes).hasSize(count);
	}

	private void assertDegradedOnce() throws InterruptedException {
		awaitChanges(1);
		assertThat(this.changes).singleElement().satisfies((change) -> {
			assertThat(change.degraded()).isTrue();
			assertThat(change.reason()).isNotBlank();
		});
	}

	private Kernel<Echo, Echo> activate(PlanRequest request) {
		open(request);
		this.platform.device().timings().patience(Duration.ofMillis(500));
		Kernel<Echo, Echo> kernel = this.runtime.define(echo());
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private void open(PlanRequest request) {
		this.runtime = RingKernelRuntime.open(request,
				List.of(new CudaBackendProvider(this.platform), new CpuBackendProvider()));
		this.runtime.addListener((event) -> {
			if (event instanceof KernelPlanChange change) {
				this.changes.add(change);
			}
		});
	}

	private KernelSpec<Echo, Echo> echo() {
		return this.context.install(KernelSpec.of("echo", Echo.class, Echo.class, (request) -> {
			this.handled.incrementAndGet();
			return request;
		}, options()));
	}

	private static KernelOptions options() {
		return KernelOptions.builder()
			.workers(2)
			.requestTimeout(LIMIT)
			.drainTimeout(Duration.ofSeconds(1))
			.replay(Replay.IDEMPOTENT)
			.build();
	}

}
