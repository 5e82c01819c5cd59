package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Kernels that do not end when they are told to, and drivers that do not say whether they
 * have.
 */
@Timeout(60)
@Tag("every-platform")
class StuckKernelTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private static final PlanRequest ON_CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	private static final Duration STOP_TIMEOUT = Duration.ofMillis(200);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private final CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver, Duration.ofMillis(500)));

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	private final CountDownLatch hang = new CountDownLatch(1);

	private RingKernelRuntime runtime;

	@AfterEach
	void close() {
		this.release.countDown();
		this.hang.countDown();
		this.runtime.close();
	}

	@Test
	void healthyKernelsDoNotYieldOnceMoreForOneThatHasNotYielded() throws Exception {
		open(ON_CUDA);
		Kernel<Echo, Echo> held = activate(held());
		Kernel<Echo, Echo> healthy = activate(echo("healthy"));
		CompletableFuture<Echo> reply = hold(held);
		Kernel<Echo, Echo> added = this.runtime.define(this.context.install(echo("added")));
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(added::launch)
			.withMessageContaining("did not yield within");
		assertThat(healthy.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		int launches = this.context.launches().shapes().size();
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(added::launch)
			.withMessageContaining("while kernel 'held' runs")
			.withMessageContaining("has not ended since it was told to");
		assertThat(this.context.launches().shapes()).as("launches of kernels that yielded").hasSize(launches);
		this.release.countDown();
		assertThat(reply).succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 1));
		assertThat(held.client().call(Echo.of(1, 3), LIMIT)).isEqualTo(Echo.of(1, 3));
		added.launch();
		added.activate();
		assertThat(added.client().call(Echo.of(1, 4), LIMIT)).isEqualTo(Echo.of(1, 4));
	}

	@Test
	void healthyKernelsDoNotYieldForOneThatWasNotStopped() throws Exception {
		open(ON_CUDA);
		Kernel<Echo, Echo> held = activate(held());
		activate(echo("healthy"));
		hold(held);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(held::terminate);
		int launches = this.context.launches().shapes().size();
		Kernel<Echo, Echo> added = this.runtime.define(this.context.install(echo("added")));
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(added::launch)
			.withMessageContaining("while kernel 'held' runs");
		assertThat(this.context.launches().shapes()).hasSize(launches);
	}

	@Test
	void theWorkersTellOfTheirEndWhereTheDriverDoesNotReturn() {
		open(PlanRequest.AUTO);
		this.platform.device().timings().patience(Duration.ofMillis(300));
		Kernel<Echo, Echo> kernel = activate(echo("echo"));
		this.context.hang(this.hang);
		Awaitility.await().atMost(LIMIT).until(() -> {
			assertThat(kernel.client().call(Echo.of(1, 1), LIMIT)).isEqualTo(Echo.of(1, 1));
			return kernel.status().plan().backend() == BackendKind.CPU;
		});
		assertThat(kernel.status().plan().reasons())
			.anySatisfy((reason) -> assertThat(reason).containsPattern("the driver (has not returned|did not return)"));
	}

	@Test
	void aDriverThatHangsIsNoticedAlthoughNobodyCallsOrLooks() {
		open(PlanRequest.AUTO);
		// Longer than the dispatcher sleeps, which alone looks.
		this.platform.device().timings().patience(Duration.ofSeconds(2));
		List<KernelPlanChange> changes = new CopyOnWriteArrayList<>();
		this.runtime.addListener((event) -> {
			if (event instanceof KernelPlanChange change) {
				changes.add(change);
			}
		});
		activate(echo("echo"));
		this.context.hang(this.hang);
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(changes).singleElement()
				.satisfies((change) -> assertThat(change.degraded()).isTrue()));
	}

	@ParameterizedTest
	@EnumSource(names = { "MAPPED", "BRIDGED" })
	void anEventDrivenKernelIsNotActiveOnADriverThatHangs(Transport transport) {
		open(new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, transport));
		Kernel<Echo, Echo> kernel = this.runtime.define(this.context.install(echo("echo")));
		kernel.launch();
		this.context.hang(this.hang);
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(kernel::activate)
			.withMessageContaining("has not returned from");
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
	}

	@Test
	void aKernelThatWasGivenUpAndDoesNotEndFailsWhatWaitsForIt() throws Exception {
		open(PlanRequest.AUTO);
		this.platform.device().timings().patience(Duration.ofMillis(300));
		Kernel<Echo, Echo> held = activate(held());
		CompletableFuture<Echo> reply = hold(held);
		CompletableFuture<Echo> queued = held.client().submit(Echo.of(1, 2), LIMIT);
		this.context.hang(this.hang);
		Awaitility.await().atMost(LIMIT).until(() -> held.status().state() == KernelState.FAILED);
		assertThat(held.status().lastFailure()).contains("did not end within 200ms");
		assertThat(List.of(reply, queued)).allSatisfy((future) -> assertThat(future).failsWithin(LIMIT)
			.withThrowableThat()
			.withCauseInstanceOf(KernelTerminatedException.class));
		this.hang.countDown();
		this.release.countDown();
		Awaitility.await().ignoreExceptions().atMost(LIMIT).until(() -> {
			held.terminate();
			return true;
		});
	}

	@Test
	void anErrorThatEndsNoKernelIsNoProofThatOneHasEnded() throws Exception {
		open(PlanRequest.AUTO);
		Kernel<Echo, Echo> held = activate(held());
		CompletableFuture<Echo> reply = hold(held);
		this.context.loseTouch(new CudaStatus(999, "CUDA_ERROR_UNKNOWN"));
		assertThat(reply).failsWithin(LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> held.status().state() == KernelState.FAILED);
		assertThat(held.status().activeWorkers()).isPositive();
		this.release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> held.status().activeWorkers() == 0);
	}

	@ParameterizedTest
	@EnumSource(names = { "MAPPED", "BRIDGED" })
	void aLoopThatHasFailedLeavesTheDriverAlone(Transport transport) throws Exception {
		open(new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, transport));
		Kernel<Echo, Echo> held = activate(held());
		CompletableFuture<Echo> reply = hold(held);
		this.context.loseTouch(new CudaStatus(999, "CUDA_ERROR_UNKNOWN"));
		assertThat(reply).failsWithin(LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> held.status().state() == KernelState.FAILED);
		this.context.listCalls();
		AtomicInteger before = new AtomicInteger();
		Awaitility.await().during(Duration.ofMillis(300)).atMost(LIMIT).until(() -> {
			int calls = this.context.calls().size();
			return before.getAndSet(calls) == calls;
		});
	}

	private void open(PlanRequest request) {
		this.runtime = RingKernelRuntime.open(request,
				List.of(new CudaBackendProvider(this.platform), new CpuBackendProvider()));
	}

	private CompletableFuture<Echo> hold(Kernel<Echo, Echo> kernel) throws InterruptedException {
		CompletableFuture<Echo> reply = kernel.client().submit(Echo.of(1, 1), LIMIT);
		assertThat(this.begun.await(10, TimeUnit.SECONDS)).isTrue();
		return reply;
	}

	private Kernel<Echo, Echo> activate(KernelSpec<Echo, Echo> spec) {
		Kernel<Echo, Echo> kernel = this.runtime.define(this.context.install(spec));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private KernelSpec<Echo, Echo> held() {
		return KernelSpec.of("held", Echo.class, Echo.class, (request) -> {
			this.begun.countDown();
			this.release.await(30, TimeUnit.SECONDS);
			return request;
		}, options());
	}

	private static KernelSpec<Echo, Echo> echo(String id) {
		return KernelSpec.of(id, Echo.class, Echo.class, (request) -> request, options());
	}

	private static KernelOptions options() {
		return KernelOptions.builder()
			.workers(1)
			.requestTimeout(LIMIT)
			.drainTimeout(Duration.ofMillis(100))
			.stopTimeout(STOP_TIMEOUT)
			.build();
	}

}
