package io.ringkernel.cpu;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.TestShare;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuRig.Number;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.WaitStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuDeviceLoopTests {

	private static final Duration LIMIT = CpuRig.LIMIT;

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void everyDoorbellIsHeardWhileTheLoopComesToRest(ExecutionMode mode) throws InterruptedException {
		KernelOptions options = KernelOptions.builder().workers(1).idleBudget(Duration.ZERO).build();
		int messages = TestShare.of(150_000);
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(options, (request) -> request))) {
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
		KernelOptions options = KernelOptions.builder().workers(2).idleBudget(Duration.ZERO).build();
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(options, (request) -> request))) {
			AtomicBoolean done = new AtomicBoolean();
			Concurrently.Running callers = Concurrently.start(2, (thread) -> {
				for (int i = 0; i < TestShare.of(6_000); i++) {
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
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(KernelOptions.builder().workers(1).build(), (request) -> {
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
	void nudgesBringUpAWorkerForEachRequestThatLies(ExecutionMode mode) throws InterruptedException {
		int requests = 6;
		CountDownLatch begun = new CountDownLatch(requests);
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(KernelOptions.builder().workers(8).build(), (request) -> {
			begun.countDown();
			begun.await();
			return request;
		}))) {
			rig.loop.start();
			long[] positions = new long[requests];
			for (int i = 0; i < requests; i++) {
				positions[i] = rig.send(i);
			}
			Awaitility.await().atMost(LIMIT).until(() -> {
				rig.loop.nudge();
				return begun.getCount() == 0;
			});
			for (int i = 0; i < requests; i++) {
				assertThat(rig.receive(positions[i]).value()).isEqualTo(i);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aSecondNudgeBringsUpAnotherWorker(ExecutionMode mode) throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(KernelOptions.builder().workers(2).build(), (request) -> {
			if (request.value() == 0) {
				release.await();
			}
			return request;
		}))) {
			rig.loop.start();
			long held = rig.send(0);
			long waiting = rig.send(1);
			long deadline = CpuRig.deadline();
			while (!rig.ring.responses().isAnswered(waiting) && System.nanoTime() < deadline) {
				rig.loop.nudge();
				Thread.onSpinWait();
			}
			assertThat(rig.receive(waiting).value()).isEqualTo(1);
			assertThat(rig.ring.responses().isAnswered(held)).isFalse();
			release.countDown();
			assertThat(rig.receive(held).value()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aHandlerThatIsStuckIsInterrupted(ExecutionMode mode) throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(KernelOptions.builder().workers(1).build(), (request) -> {
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
			assertThat(rig.ring.responses().isAnswered(position)).isTrue();
			assertThat(rig.ring.responses().kind(position)).isEqualTo(MessageKind.HANDLER_FAILED);
			assertThat(rig.failures.take(rig.ring.layout().slot(position))).isInstanceOf(InterruptedException.class);
			assertThat(rig.failures.take(rig.ring.layout().slot(position))).isNull();
			assertThat(rig.loop.failure()).isNull();
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aClosedLoopEndsItsThreads(ExecutionMode mode) throws InterruptedException {
		CpuRig rig = new CpuRig(mode, KernelSpec.of("closing-" + mode.ordinal(), Number.class, Number.class,
				(request) -> request, KernelOptions.builder().workers(4).build()));
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

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void everyAnswerIsThereBeforeItsBellRings(ExecutionMode mode) throws InterruptedException {
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(KernelOptions.builder().workers(1).build(), (request) -> {
			if (request.value() == 1) {
				throw new IllegalStateException("one");
			}
			return request;
		}))) {
			List<MessageKind> rung = new CopyOnWriteArrayList<>();
			rig.bell = (slot) -> rung.add(rig.ring.responses().kind(slot));
			assertThat(rig.loop.rings()).isTrue();
			rig.send(0);
			rig.send(1);
			long withdrawn = rig.send(2);
			rig.ring.requests().withdraw(withdrawn);
			rig.loop.start();
			Awaitility.await().atMost(LIMIT).until(() -> rung.size() == 3);
			assertThat(rung).containsExactly(MessageKind.DATA, MessageKind.HANDLER_FAILED, MessageKind.WITHDRAWN);
		}
	}

	@Test
	void aRetractedPositionDelaysNobody() throws InterruptedException {
		try (CpuRig rig = new CpuRig(ExecutionMode.PERSISTENT,
				CpuRig.spec(KernelOptions.builder().workers(1).build(), (request) -> request))) {
			rig.loop.start();
			for (int i = 0; i < 5 * CpuRig.SLOTS; i++) {
				long retracted = rig.ring.contendedClaims().claim(CpuRig.deadline(), WaitStrategy.YIELD);
				long position = rig.send(i);
				rig.ring.requests().retract(retracted);
				rig.loop.doorbell();
				assertThat(rig.receive(position).value()).isEqualTo(i);
				assertThat(rig.ring.responses().isAnswered(retracted)).isTrue();
				assertThat(rig.ring.responses().kind(retracted)).isIn(MessageKind.WITHDRAWN,
						MessageKind.INVALID_REQUEST);
				rig.ring.claims().release(retracted);
			}
			assertThat(rig.ring.inFlight().count()).isZero();
			assertThat(rig.ring.inFlight().awaitNone(System.nanoTime() + TimeUnit.SECONDS.toNanos(1))).isTrue();
		}
	}

}
