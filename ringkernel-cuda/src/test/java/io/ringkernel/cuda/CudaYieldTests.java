package io.ringkernel.cuda;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.KernelState;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Counted;
import io.ringkernel.conformance.TestKernels.Counter;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Kernels beside each other, where the driver holds up loading and freeing while one
 * runs.
 */
@Timeout(60)
class CudaYieldTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private final CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CudaBackendProvider(this.platform)));

	private final CpuTestKernels kernels = new CpuTestKernels();

	@Test
	void runningKernelsYieldToALoadAndGoOnWhereTheyWere() throws Exception {
		Kernel<Counter, Counted> counter = activate(this.kernels.counter(options().toBuilder().workers(1).build()));
		AtomicBoolean done = new AtomicBoolean();
		AtomicLong counted = new AtomicLong();
		Concurrently.Running caller = Concurrently.start(1, (thread) -> {
			while (!done.get()) {
				long next = counted.get();
				assertThat(counter.client().call(new Counter(1, next)).order()).isEqualTo(next);
				counted.incrementAndGet();
			}
		});
		for (int i = 0; i < 10; i++) {
			Kernel<Echo, Echo> added = activate(CudaTestKernels.renamed("echo-" + i, this.kernels.echo(options())));
			assertThat(added.client().call(Echo.of(i, i))).isEqualTo(Echo.of(i, i));
			long before = counted.get();
			Awaitility.await().atMost(LIMIT).until(() -> counted.get() > before);
			added.terminate();
		}
		done.set(true);
		caller.join(LIMIT);
		assertThat(this.context.heldUp()).isEmpty();
		assertThat(this.context.loads()).isEqualTo(11);
		this.runtime.close();
		assertThat(this.context.registrations()).isZero();
		assertThat(this.context.allocatedBytes()).isZero();
	}

	@Test
	void anImageIsCompiledWhileKernelsRunOn() {
		activate(this.kernels.echo(options()));
		List<Boolean> beside = new CopyOnWriteArrayList<>();
		this.context.before("cuLinkComplete", () -> beside.add(this.context.isBusy()));
		Kernel<Slow, Slow> added = activate(this.kernels.slow(options()));
		assertThat(beside).containsExactly(true);
		assertThat(added.client().call(new Slow(1, 2, 3))).isEqualTo(new Slow(1, 2, 3));
		assertThat(this.context.loads()).isEqualTo(2);
		this.runtime.close();
	}

	@Test
	void whileAnImageIsCompiledOtherKernelsStart() {
		activate(this.kernels.echo(options()));
		Kernel<Counter, Counted> counter = this.runtime.define(this.context.install(this.kernels.counter(options())));
		counter.launch();
		this.context.before("cuLinkComplete",
				() -> assertThat(CompletableFuture.runAsync(counter::activate)).succeedsWithin(Duration.ofSeconds(20)));
		activate(this.kernels.slow(options()));
		assertThat(counter.state()).isEqualTo(KernelState.ACTIVE);
		this.runtime.close();
	}

	@Test
	void anImageThatIsNotCompiledBeforehandIsCompiledByItsLoad() {
		this.context.before("cuLinkComplete", () -> {
			throw new CudaException("cuLinkAddData", new CudaStatus(218, "CUDA_ERROR_INVALID_PTX"));
		});
		activate(this.kernels.echo(options()));
		Kernel<Slow, Slow> added = activate(this.kernels.slow(options()));
		assertThat(this.context.codes()).isZero();
		assertThat(added.client().call(new Slow(1, 2, 3))).isEqualTo(new Slow(1, 2, 3));
		this.runtime.close();
	}

	@Test
	void memoryIsGivenBackOnlyOnceNoKernelRuns() {
		activate(this.kernels.echo(options()));
		Kernel<Slow, Slow> slow = activate(this.kernels.slow(options()));
		slow.terminate();
		assertThat(this.context.registrations()).isEqualTo(2);
		assertThat(this.context.heldUp()).isEmpty();
		this.runtime.close();
		assertThat(this.context.registrations()).isZero();
		assertThat(this.context.allocatedBytes()).isZero();
	}

	@Test
	void anImageIsLoadedOnce() {
		Kernel<Echo, Echo> kernel = activate(this.kernels.echo(options()));
		kernel.relaunch();
		assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		assertThat(this.context.loads()).isEqualTo(1);
		this.runtime.close();
	}

	@Test
	void theCodeOfAKernelThatIsPreparedIsNotLoadedAgain() {
		KernelSpec<Echo, Echo> echo = this.context.install(this.kernels.echo(options()));
		BackendProvider provider = new CudaBackendProvider(this.platform);
		ExecutionPlan plan = ((PlanOffer.Accepted) provider.plan(PlanRequest.AUTO)).plan();
		RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(2), 16, echo.requests().maxSize(),
				echo.responses().maxSize());
		try (Backend backend = provider.open(plan); RingMemory memory = backend.allocate(echo, ring.endOffset())) {
			backend.prepare(echo, memory);
			assertThat(memory.buffer().bytes()).as("the memory is as it was").isEqualTo(zeros(memory));
		}
		assertThat(this.context.loads()).isEqualTo(1);
		Kernel<Echo, Echo> kernel = this.runtime.define(echo);
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		assertThat(this.context.loads()).isEqualTo(1);
		this.runtime.close();
	}

	private static ByteBuffer zeros(RingMemory memory) {
		return ByteBuffer.allocate(memory.buffer().capacity());
	}

	@Test
	void aKernelThatDoesNotYieldIsNamedAndRunsOn() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Echo, Echo> held = activate(held(begun, release));
		CompletableFuture<Echo> reply = held.client().submit(Echo.of(1, 1), LIMIT);
		assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
		Kernel<Slow, Slow> other = this.runtime.define(this.context
			.install(this.kernels.slow(options().toBuilder().stopTimeout(Duration.ofMillis(50)).build())));
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(other::launch)
			.withMessageContaining("while kernel 'held' runs")
			.withMessageContaining("50ms");
		release.countDown();
		assertThat(reply).succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 1));
		assertThat(held.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		other.launch();
		other.activate();
		assertThat(other.client().call(new Slow(1, 2, 0))).isEqualTo(new Slow(1, 2, 0));
		this.runtime.close();
	}

	@Test
	void aStuckKernelIsReportedAndItsMemoryKeptUntilItEnds() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Echo, Echo> held = activate(held(begun, release));
		CompletableFuture<Echo> reply = held.client().submit(Echo.of(1, 1), LIMIT);
		assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(held::terminate);
		assertThat(held.state()).isEqualTo(KernelState.FAILED);
		assertThat(reply).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(KernelTerminatedException.class);
		assertThat(this.context.registrations()).isEqualTo(1);
		release.countDown();
		Awaitility.await().ignoreExceptions().atMost(LIMIT).until(() -> {
			held.relaunch();
			return true;
		});
		assertThat(held.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		assertThat(this.context.registrations()).isEqualTo(1);
		this.runtime.close();
		assertThat(this.context.heldUp()).isEmpty();
	}

	@Test
	void aFaultFailsTheKernelAndTheDeviceIsLostToTheProcess() {
		Kernel<Slow, Slow> slow = activate(this.kernels.slow(options()));
		CompletableFuture<Slow> reply = slow.client().submit(new Slow(1, 1, 10_000_000), LIMIT);
		this.context.fault(new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS"));
		assertThat(reply).failsWithin(LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> slow.state() == KernelState.FAILED);
		assertThat(slow.status().lastFailure()).contains("CUDA_ERROR_ILLEGAL_ADDRESS");
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(slow::relaunch)
			.withMessageContaining("lost the device")
			.withMessageContaining("Restart the application");
		this.runtime.close();
	}

	@Test
	void aCallerThatSpinsWhenTheDeviceFaultsGivesUpAtItsTimeout() {
		Kernel<Slow, Slow> slow = activate(this.kernels.slow(options()));
		Thread fault = new Thread(() -> this.context.fault(new CudaStatus(719, "CUDA_ERROR_LAUNCH_FAILED")));
		fault.start();
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> slow.client().call(new Slow(1, 1, 10_000_000), Duration.ofMillis(500)))
			.isInstanceOfAny(RequestTimeoutException.class, KernelTerminatedException.class,
					RequestLostException.class);
		this.runtime.close();
	}

	@Test
	void deviceMemoryIsGivenBackBesideARunningKernel() {
		activate(this.kernels.echo(options()));
		long before = this.context.allocatedBytes();
		int launches = this.context.launches().shapes().size();
		CudaDeviceMemory memory = CudaDeviceMemory.allocate(this.platform.device(), 700_000);
		assertThat(this.context.allocatedBytes()).isEqualTo(before + 700_000);
		memory.close();
		assertThat(this.context.allocatedBytes()).isEqualTo(before);
		assertThat(this.context.launches().shapes()).hasSize(launches);
		assertThat(this.context.heldUp()).isEmpty();
		this.runtime.close();
	}

	@Test
	void withoutPoolsDeviceMemoryOfWhichThereIsTooLittleIsTakenFromWhatWaitsToBeFreed() {
		this.driver.withoutMemoryPools();
		this.context.memoryBytes(1 << 20);
		activate(this.kernels.echo(options()));
		CudaDevice device = this.platform.device();
		CudaDeviceMemory first = CudaDeviceMemory.allocate(device, 700_000);
		first.close();
		CudaDeviceMemory second = CudaDeviceMemory.allocate(device, 700_000);
		second.upload(0, ByteBuffer.allocate(100));
		second.close();
		assertThat(this.context.heldUp()).isEmpty();
		this.runtime.close();
		assertThat(this.context.allocatedBytes()).isZero();
	}

	private static KernelOptions options() {
		return KernelOptions.builder()
			.workers(2)
			.requestTimeout(LIMIT)
			.drainTimeout(Duration.ofMillis(100))
			.stopTimeout(Duration.ofMillis(500))
			.build();
	}

	private static KernelSpec<Echo, Echo> held(CountDownLatch begun, CountDownLatch release) {
		return KernelSpec.of("held", Echo.class, Echo.class, (request) -> {
			begun.countDown();
			release.await(30, TimeUnit.SECONDS);
			return request;
		}, options());
	}

	private <I extends Record, O extends Record> Kernel<I, O> activate(KernelSpec<I, O> spec) {
		Kernel<I, O> kernel = this.runtime.define(this.context.install(spec));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
