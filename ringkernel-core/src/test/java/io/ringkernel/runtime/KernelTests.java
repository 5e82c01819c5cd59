package io.ringkernel.runtime;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.sun.management.ThreadMXBean;
import io.ringkernel.Capacity;
import io.ringkernel.HandlerFailedException;
import io.ringkernel.IllegalKernelStateException;
import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.KernelNotActiveException;
import io.ringkernel.KernelState;
import io.ringkernel.KernelStuckException;
import io.ringkernel.KernelTerminatedException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.WaitStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final KernelOptions OPTIONS = KernelOptions.DEFAULTS.withWorkers(2)
		.withRequestTimeout(LIMIT)
		.withStopTimeout(Duration.ofSeconds(10));

	private final FaultyProvider provider = new FaultyProvider();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider));

	record Number(long value) {
	}

	record Text(long value) {

		@Override
		public long value() {
			if (this.value == 13) {
				throw new IllegalStateException("no thirteen");
			}
			return this.value;
		}

	}

	@AfterEach
	void closeRuntime() {
		this.provider.failure = null;
		this.runtime.close();
	}

	private Kernel<Number, Number> define(String id, RingKernelHandler<Number, Number> handler) {
		return define(id, OPTIONS, handler);
	}

	private Kernel<Number, Number> define(String id, KernelOptions options, RingKernelHandler<Number, Number> handler) {
		return this.runtime.define(KernelSpec.of(id, Number.class, Number.class, handler, options));
	}

	private static void start(Kernel<?, ?> kernel) {
		kernel.launch();
		kernel.activate();
	}

	private static void verifyIllegal(Kernel<?, ?> kernel, Consumer<Kernel<?, ?>> move, KernelState to) {
		KernelState from = kernel.state();
		assertThatExceptionOfType(IllegalKernelStateException.class).isThrownBy(() -> move.accept(kernel))
			.withMessageContaining("'" + kernel.id() + "'")
			.withMessageContaining(from.name())
			.withMessageContaining(to.name())
			.satisfies((ex) -> {
				assertThat(ex.from()).isEqualTo(from);
				assertThat(ex.to()).isEqualTo(to);
			});
		assertThat(kernel.state()).isEqualTo(from);
	}

	@Test
	void everyMoveIsLegalOrNamesBothStates() {
		Kernel<Number, Number> kernel = define("moves", (request) -> request);
		verifyIllegal(kernel, Kernel::activate, KernelState.ACTIVE);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.launch();
		verifyIllegal(kernel, Kernel::launch, KernelState.LAUNCHED);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.activate();
		verifyIllegal(kernel, Kernel::launch, KernelState.LAUNCHED);
		verifyIllegal(kernel, Kernel::activate, KernelState.ACTIVE);
		kernel.deactivate();
		verifyIllegal(kernel, Kernel::launch, KernelState.LAUNCHED);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.activate();
		kernel.terminate();
		verifyIllegal(kernel, Kernel::activate, KernelState.ACTIVE);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.terminate();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		kernel.relaunch();
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void aKernelIsTerminatedFromEveryState() {
		Kernel<Number, Number> created = define("created", (request) -> request);
		created.terminate();
		assertThat(created.state()).isEqualTo(KernelState.TERMINATED);
		Kernel<Number, Number> launched = define("launched", (request) -> request);
		launched.launch();
		launched.terminate();
		assertThat(launched.state()).isEqualTo(KernelState.TERMINATED);
		Kernel<Number, Number> inactive = define("inactive", (request) -> request);
		start(inactive);
		inactive.deactivate();
		inactive.terminate();
		assertThat(inactive.state()).isEqualTo(KernelState.TERMINATED);
	}

	@Test
	void aLaunchThatFailsLeavesTheReasonAndMayBeTriedAgain() {
		KernelOptions tiny = OPTIONS.withRingMemory(1);
		Kernel<Number, Number> kernel = define("tiny", tiny, (request) -> request);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(kernel::launch);
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("ring-memory = 1 B");
		kernel.terminate();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
	}

	@Test
	void aBackendThatThrowsAtLaunchFailsTheKernelAndARelaunchLeavesThatState() {
		Kernel<Number, Number> kernel = define("broken", (request) -> request);
		this.provider.loadFailure = new IllegalStateException("no such image");
		assertThatIllegalStateException().isThrownBy(kernel::launch);
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("no such image");
		this.provider.loadFailure = null;
		kernel.relaunch();
		assertThat(kernel.client().call(new Number(1))).isEqualTo(new Number(1));
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aLoopThatBreaksFailsTheKernelAndEveryoneWhoWaits(WaitStrategy strategy) {
		Kernel<Number, Number> kernel = define("breaking-" + strategy.ordinal(),
				OPTIONS.withWaitStrategy(strategy).withStopTimeout(Duration.ofMillis(50)), (request) -> {
					Thread.currentThread().join();
					return request;
				});
		start(kernel);
		CompletableFuture<Number> future = kernel.client().submit(new Number(1));
		IllegalStateException cause = new IllegalStateException("device fault");
		this.provider.failure = cause;
		// It has been sent, or the break was noticed before.
		assertThatThrownBy(() -> kernel.client().call(new Number(2))).satisfiesAnyOf(
				(ex) -> assertThat(ex).isInstanceOf(KernelTerminatedException.class).hasCause(cause),
				(ex) -> assertThat(ex).isInstanceOf(KernelNotActiveException.class));
		assertThat(future).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(KernelTerminatedException.class);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("device fault");
	}

	@Test
	void aLaunchAfterTheLoopHasBrokenLeavesNothingOfTheOldOneBehind() {
		Kernel<Number, Number> kernel = define("twice", (request) -> request);
		start(kernel);
		this.provider.failure = new IllegalStateException("device fault");
		assertThatThrownBy(() -> {
			while (true) {
				kernel.client().call(new Number(1));
				kernel.client().submit(new Number(1)).join();
			}
		}).satisfiesAnyOf((ex) -> assertThat(ex).isInstanceOf(KernelTerminatedException.class),
				(ex) -> assertThat(ex).hasCauseInstanceOf(KernelTerminatedException.class),
				(ex) -> assertThat(ex).isInstanceOf(KernelNotActiveException.class));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().state() == KernelState.FAILED);
		this.provider.failure = null;
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(new Number(2))).isEqualTo(new Number(2));
		assertThat(threads("twice")).filteredOn((name) -> name.endsWith("delivery")).hasSize(1);
	}

	private static List<String> threads(String id) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("ringkernel-" + id))
			.toList();
	}

	@Test
	void aHandlerThatNeverEndsFailsItsKernelAndNoOther() {
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Number, Number> stuck = define("stuck",
				OPTIONS.withStopTimeout(Duration.ofMillis(50)).withDrainTimeout(Duration.ofMillis(10)), (request) -> {
					awaitUninterruptibly(release);
					return request;
				});
		Kernel<Number, Number> other = define("other", (request) -> request);
		start(stuck);
		start(other);
		CompletableFuture<Number> held = stuck.client().submit(new Number(1));
		Awaitility.await().atMost(LIMIT).until(() -> stuck.status().activeWorkers() > 0);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(stuck::terminate)
			.withMessageContaining("'stuck'")
			.withMessageContaining("PT0.1S");
		assertThat(stuck.state()).isEqualTo(KernelState.FAILED);
		assertThat(held).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(KernelTerminatedException.class);
		assertThat(other.client().call(new Number(3))).isEqualTo(new Number(3));
		assertThat(this.provider.openMemories).hasValue(2);
		release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> threads("stuck").isEmpty());
		stuck.terminate();
		assertThat(stuck.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(this.provider.openMemories).hasValue(1);
		stuck.relaunch();
		assertThat(stuck.client().call(new Number(4))).isEqualTo(new Number(4));
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				// That is what makes it stuck.
			}
		}
	}

	@Test
	void aDeactivationThatIsNotObeyedInTimeLeavesTheKernelInactive() {
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Number, Number> kernel = define("slow-to-rest", OPTIONS.withStopTimeout(Duration.ofMillis(20)),
				(request) -> {
					release.await();
					return request;
				});
		start(kernel);
		CompletableFuture<Number> held = kernel.client().submit(new Number(1));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().activeWorkers() > 0);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::deactivate);
		assertThat(kernel.state()).isEqualTo(KernelState.INACTIVE);
		release.countDown();
		kernel.activate();
		assertThat(held).succeedsWithin(LIMIT).isEqualTo(new Number(1));
	}

	@Test
	void aTerminationThatIsInterruptedIsTakenUpByTheNext() {
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Number, Number> kernel = define("interrupted", (request) -> {
			release.await();
			return request;
		});
		start(kernel);
		CompletableFuture<Number> held = kernel.client().submit(new Number(1));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(RequestInterruptedException.class).isThrownBy(kernel::terminate);
		assertThat(Thread.interrupted()).isTrue();
		Thread terminator = new Thread(() -> {
			try {
				kernel.terminate();
			}
			catch (RequestInterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		terminator.start();
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.TERMINATING);
		terminator.interrupt();
		Awaitility.await().atMost(LIMIT).until(() -> !terminator.isAlive());
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATING);
		release.countDown();
		kernel.terminate();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(held).isDone();
	}

	@Test
	void aRuntimeIsClosedOnAnInterruptedThread() {
		Kernel<Number, Number> kernel = define("closing", (request) -> request);
		start(kernel);
		Thread.currentThread().interrupt();
		this.runtime.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(threads("closing")).isEmpty();
	}

	@Test
	void launchesAndTerminationsLeakNothing() {
		Kernel<Number, Number> kernel = define("cycle", (request) -> request);
		start(kernel);
		kernel.client().call(new Number(0));
		long before = directMemory();
		for (int i = 0; i < 100; i++) {
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(i))).isEqualTo(new Number(i));
		}
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(101));
		assertThat(this.provider.openMemories).hasValue(1);
		long ringMemory = kernel.status().memoryBytes();
		kernel.terminate();
		assertThat(kernel.status().memoryBytes()).isZero();
		assertThat(this.provider.openMemories).hasValue(0);
		Awaitility.await().atMost(LIMIT).until(() -> threads("cycle").isEmpty());
		Awaitility.await().atMost(LIMIT).until(() -> {
			System.gc();
			return directMemory() <= before + 3 * ringMemory;
		});
	}

	private static long directMemory() {
		return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.filter((pool) -> pool.getName().equals("direct"))
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
	}

	@Test
	void aCallAllocatesNoMoreThanItsResponse() {
		Kernel<Number, Number> kernel = define("lean", OPTIONS.withWaitStrategy(WaitStrategy.YIELD),
				(request) -> request);
		start(kernel);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		Number request = new Number(5);
		int calls = 1_000;
		long allocated = Long.MAX_VALUE;
		// What the interpreter allocates is gone once everything is compiled.
		for (int round = 0; round < 20 && allocated > 24L * calls; round++) {
			long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
			for (int i = 0; i < calls; i++) {
				kernel.client().call(request);
			}
			allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
		}
		assertThat(allocated / calls).isLessThanOrEqualTo(24);
	}

	@Test
	void aResponseWhoseAccessorThrowsFailsItsRequestAlone() {
		Kernel<Number, Text> kernel = this.runtime.define(
				KernelSpec.of("accessors", Number.class, Text.class, (request) -> new Text(request.value()), OPTIONS));
		start(kernel);
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().call(new Number(13)))
			.withMessageContaining("no thirteen");
		assertThat(kernel.client().call(new Number(12))).isEqualTo(new Text(12));
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void aRequestThatDoesNotEncodeAfterAllHoldsNobodyUp() {
		Kernel<Fickle, Number> kernel = this.runtime.define(KernelSpec.of("fickle", Fickle.class, Number.class,
				(request) -> new Number(request.value()), OPTIONS.withRingMemory(RingLayout.totalBytes(4, 36, 8))));
		start(kernel);
		for (int i = 0; i < 100; i++) {
			assertThatIllegalArgumentException().isThrownBy(() -> kernel.client().call(new Fickle(-1, new byte[4])))
				.withMessage("changed its mind");
			assertThat(kernel.client().call(new Fickle(i, new byte[4]))).isEqualTo(new Number(i));
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
	}

	/**
	 * Is measured, but does not encode if its value is negative.
	 */
	record Fickle(long value, @Capacity(4) byte[] bytes) {

		private static final AtomicInteger READS = new AtomicInteger();

		@Override
		public byte[] bytes() {
			if (this.value < 0 && READS.incrementAndGet() % 2 == 0) {
				throw new IllegalArgumentException("changed its mind");
			}
			return this.bytes;
		}

	}

	@Test
	void anExceptionWhoseTextFailsIsStillReported() {
		Kernel<Number, Number> kernel = define("mute", (request) -> {
			throw new MuteException();
		});
		start(kernel);
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().call(new Number(1)))
			.withMessageContaining("MuteException")
			.withCauseInstanceOf(MuteException.class);
		assertThat(kernel.client().submit(new Number(1))).failsWithin(LIMIT)
			.withThrowableThat()
			.withCauseInstanceOf(HandlerFailedException.class);
	}

	private static final class MuteException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("no words");
		}

	}

	@Test
	void theStatusShowsTheKernelAsItIs() {
		Kernel<Number, Number> kernel = define("shown", OPTIONS.withRingMemory(RingLayout.totalBytes(8, 8, 8)),
				(request) -> request);
		assertThat(kernel.status().slots()).isZero();
		assertThat(kernel.status().memoryBytes()).isZero();
		start(kernel);
		for (int i = 0; i < 10; i++) {
			kernel.client().call(new Number(i));
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() == 10);
		KernelStatus status = kernel.status();
		assertThat(status.id()).isEqualTo("shown");
		assertThat(status.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(status.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(status.slots()).isEqualTo(8);
		assertThat(status.workers()).isEqualTo(2);
		assertThat(status.processed()).isEqualTo(10);
		assertThat(status.failed()).isZero();
		assertThat(status.heartbeat()).isPositive();
		assertThat(status.loopLaunches()).isPositive();
		assertThat(status.lastFailure()).isNull();
	}

	@Test
	void anIdIsGivenOnce() {
		define("taken", (request) -> request);
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> define("taken", (request) -> request))
			.withMessageContaining("'taken' is taken");
		assertThat(this.runtime.kernel("taken")).isPresent();
		assertThat(this.runtime.kernel("absent")).isEmpty();
		assertThat(this.runtime.kernels()).hasSize(1);
	}

}
