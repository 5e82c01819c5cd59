package io.ringkernel.cpu;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.ResponseKind;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.WaitStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuDeviceLoopTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int SLOTS = 8;

	record Number(long value) {
	}

	private static KernelSpec<Number, Number> spec(KernelOptions options, RingKernelHandler<Number, Number> handler) {
		return KernelSpec.of("numbers", Number.class, Number.class, handler, options);
	}

	private static long deadline() {
		return System.nanoTime() + LIMIT.toNanos();
	}

	/**
	 * A loop with a host ring over the same memory, and nobody who nudges.
	 */
	private static final class Rig implements AutoCloseable {

		private final KernelSpec<Number, Number> spec;

		private final ControlBlock control;

		private final HostRing ring;

		private final DeviceLoop loop;

		Rig(ExecutionMode mode, KernelSpec<Number, Number> spec) {
			this.spec = spec;
			int workers = spec.options().workers();
			RingLayout layout = RingLayout.forSlots(ControlBlock.bytes(workers), SLOTS, spec.requests().maxSize(),
					spec.responses().maxSize());
			RingMemory memory = RingMemory.direct(layout.endOffset());
			this.control = new ControlBlock(memory.buffer(), workers);
			this.control.identify(layout, 0, 0, 0);
			this.ring = new HostRing(memory.buffer(), layout, 0);
			this.loop = new CpuBackend(mode).load(spec, new KernelRegion(memory, this.control, layout));
		}

		long send(long value) throws InterruptedException {
			long position = this.ring.claim(deadline(), WaitStrategy.YIELD);
			assertThat(position).isNotEqualTo(HostRing.FULL);
			Number number = new Number(value);
			this.ring.publish(position, number, this.spec.requests().measure(number), this.spec.requests());
			this.loop.doorbell();
			return position;
		}

		Number receive(long position) {
			long deadline = deadline();
			for (int round = 0; !this.ring.isAnswered(position); round++) {
				WaitStrategy.YIELD.pause(round);
				if (System.nanoTime() - deadline > 0) {
					throw new AssertionError("Position " + position + " was never answered");
				}
			}
			assertThat(this.ring.responseKind(position)).isEqualTo(ResponseKind.ANSWER);
			Number answer = this.ring.response(position, this.spec.responses());
			this.ring.release(position);
			return answer;
		}

		@Override
		public void close() throws InterruptedException {
			this.loop.stop(LIMIT);
			this.loop.close();
		}

	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void everyDoorbellIsHeardWhileTheLoopComesToRest(ExecutionMode mode) throws InterruptedException {
		KernelOptions options = KernelOptions.DEFAULTS.withWorkers(1)
			.withIdleBudget(Duration.ZERO)
			.withIterationLimit(1);
		int messages = 150_000;
		try (Rig rig = new Rig(mode, spec(options, (request) -> request))) {
			rig.loop.start();
			Concurrently.run(2, Duration.ofSeconds(60), (thread) -> {
				SplittableRandom random = new SplittableRandom(thread);
				for (int i = 0; i < messages; i++) {
					int spins = random.nextInt(150);
					for (int spin = 0; spin < spins; spin++) {
						Thread.onSpinWait();
					}
					assertThat(rig.receive(rig.send(i)).value()).isEqualTo(i);
				}
			});
			Awaitility.await().atMost(LIMIT).until(() -> rig.control.processed() == 2L * messages);
			assertThat(rig.control.launches()).isGreaterThan(1);
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aLoopThatStopsAndStartsAnswersEverything(ExecutionMode mode) throws InterruptedException {
		KernelOptions options = KernelOptions.DEFAULTS.withWorkers(2).withIdleBudget(Duration.ZERO);
		try (Rig rig = new Rig(mode, spec(options, (request) -> request))) {
			AtomicBoolean done = new AtomicBoolean();
			Concurrently.Running callers = Concurrently.start(2, (thread) -> {
				for (int i = 0; i < 1_500; i++) {
					assertThat(rig.receive(rig.send(i)).value()).isEqualTo(i);
				}
				done.set(true);
			});
			while (!done.get()) {
				rig.loop.start();
				assertThat(rig.loop.stop(LIMIT)).isTrue();
				assertThat(rig.loop.activeWorkers()).isZero();
			}
			rig.loop.start();
			callers.join(LIMIT);
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aStoppedLoopLeavesRequestsWhereTheyAre(ExecutionMode mode) throws InterruptedException {
		AtomicInteger handled = new AtomicInteger();
		try (Rig rig = new Rig(mode, spec(KernelOptions.DEFAULTS.withWorkers(1), (request) -> {
			handled.incrementAndGet();
			return request;
		}))) {
			rig.loop.start();
			assertThat(rig.receive(rig.send(1)).value()).isEqualTo(1);
			assertThat(rig.loop.stop(LIMIT)).isTrue();
			assertThat(rig.loop.stop(LIMIT)).isTrue();
			long position = rig.send(2);
			rig.loop.nudge();
			rig.loop.nudge();
			assertThat(rig.loop.activeWorkers()).isZero();
			assertThat(handled).hasValue(1);
			rig.loop.start();
			assertThat(rig.receive(position).value()).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aSecondNudgeBringsUpAnotherWorker(ExecutionMode mode) throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		try (Rig rig = new Rig(mode, spec(KernelOptions.DEFAULTS.withWorkers(2), (request) -> {
			if (request.value() == 0) {
				release.await();
			}
			return request;
		}))) {
			rig.loop.start();
			long held = rig.send(0);
			long waiting = rig.send(1);
			long deadline = deadline();
			while (!rig.ring.isAnswered(waiting) && System.nanoTime() < deadline) {
				rig.loop.nudge();
				Thread.onSpinWait();
			}
			assertThat(rig.receive(waiting).value()).isEqualTo(1);
			assertThat(rig.ring.isAnswered(held)).isFalse();
			release.countDown();
			assertThat(rig.receive(held).value()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aHandlerThatIsStuckIsInterrupted(ExecutionMode mode) throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		try (Rig rig = new Rig(mode, spec(KernelOptions.DEFAULTS.withWorkers(1), (request) -> {
			begun.countDown();
			new CountDownLatch(1).await();
			return request;
		}))) {
			rig.loop.start();
			long position = rig.send(0);
			begun.await();
			assertThat(rig.loop.stop(Duration.ofMillis(10))).isFalse();
			assertThat(rig.loop.activeWorkers()).isEqualTo(1);
			rig.loop.interrupt();
			assertThat(rig.loop.stop(LIMIT)).isTrue();
			assertThat(rig.ring.isAnswered(position)).isTrue();
			assertThat(rig.ring.responseKind(position)).isEqualTo(ResponseKind.HANDLER_FAILED);
			assertThat(rig.loop.takeFailure(rig.ring.layout().slot(position))).isInstanceOf(InterruptedException.class);
			assertThat(rig.loop.takeFailure(rig.ring.layout().slot(position))).isNull();
			assertThat(rig.loop.failure()).isNull();
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aClosedLoopEndsItsThreads(ExecutionMode mode) throws InterruptedException {
		Rig rig = new Rig(mode, KernelSpec.of("closing-" + mode.ordinal(), Number.class, Number.class,
				(request) -> request, KernelOptions.DEFAULTS.withWorkers(4)));
		rig.loop.start();
		rig.receive(rig.send(1));
		rig.close();
		rig.loop.doorbell();
		assertThat(rig.loop.activeWorkers()).isZero();
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("ringkernel-closing-" + mode.ordinal())));
	}

	@Test
	void aRetractedPositionDelaysNobody() throws InterruptedException {
		try (Rig rig = new Rig(ExecutionMode.PERSISTENT,
				spec(KernelOptions.DEFAULTS.withWorkers(1), (request) -> request))) {
			rig.loop.start();
			for (int i = 0; i < 5 * SLOTS; i++) {
				long retracted = rig.ring.claim(deadline(), WaitStrategy.YIELD);
				long position = rig.send(i);
				rig.ring.retract(retracted);
				rig.loop.doorbell();
				assertThat(rig.receive(position).value()).isEqualTo(i);
				assertThat(rig.ring.isAnswered(retracted)).isTrue();
				assertThat(rig.ring.responseKind(retracted)).isIn(ResponseKind.WITHDRAWN, ResponseKind.INVALID_REQUEST);
				rig.ring.release(retracted);
			}
			assertThat(rig.ring.inFlight()).isZero();
			assertThat(rig.ring.awaitIdle(System.nanoTime() + TimeUnit.SECONDS.toNanos(1))).isTrue();
		}
	}

}
