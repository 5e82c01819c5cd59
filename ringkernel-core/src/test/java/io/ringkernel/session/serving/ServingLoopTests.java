package io.ringkernel.session.serving;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ServingLoopTests {

	private static final Consumer<DeviceLoop> UNPREPARED = (next) -> {
	};

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

	private final PlanFailedException failed = new PlanFailedException("any", "its plan failed", null);

	private final KernelRegion region = region();

	private final List<PlanFailedException> moves = new ArrayList<>();

	private final KernelCounters counters = new KernelCounters();

	private static KernelRegion region() {
		RingLayout layout = RingLayout.forSlots(ControlBlock.bytes(1), 4, 8, 8);
		RingMemory memory = RingMemory.direct(layout.endOffset());
		ControlBlock control = new ControlBlock(memory.buffer(), 1);
		control.identify(layout, 0, 0, 0);
		return new KernelRegion(memory, control, layout);
	}

	private ServingLoop serving(DeviceLoop first) {
		return serving(first, this.moves::add);
	}

	private ServingLoop serving(DeviceLoop first, Consumer<PlanFailedException> mover) {
		return new ServingLoop(first, this.region, (position) -> false, this.counters, STOP_TIMEOUT, mover);
	}

	@Test
	void aHandOverThatFindsNoThreadIsTriedAgain() {
		AtomicInteger asked = new AtomicInteger();
		ServingLoop loop = serving(new PlayedLoop(this.failed), (why) -> {
			if (asked.incrementAndGet() == 1) {
				throw new OutOfMemoryError("unable to create native thread");
			}
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(loop::failure);
		assertThat(loop.failure()).isNull();
		assertThat(loop.failure()).isNull();
		assertThat(asked).hasValue(2);
	}

	@Test
	void aFailureThatIsSettledIsFinal() {
		ServingLoop loop = serving(new PlayedLoop(this.failed));
		assertThat(loop.failure()).isNull();
		loop.settle();
		assertThat(loop.failure()).isEqualTo(this.failed);
	}

	@Test
	void aDefectOfTheSessionIsMendedByNoHandOver() {
		ServingLoop loop = serving(new PlayedLoop(null));
		IllegalStateException defect = new IllegalStateException("a defect");
		loop.breakDown(defect);
		assertThat(loop.failure()).isEqualTo(defect);
		assertThat(this.moves).isEmpty();
	}

	@Test
	void theNextLoopIsToldWhichOneItComesAfterAndIsRungAndThatOneIsClosed() {
		PlayedLoop first = new PlayedLoop(this.failed);
		PlayedLoop second = new PlayedLoop(null);
		ServingLoop loop = serving(first);
		loop.handOver((region) -> {
			assertThat(region.before()).isEqualTo(first);
			assertThat(region.host()).isEqualTo(this.region.host());
			return second;
		}, UNPREPARED, true);
		assertThat(loop.current()).isEqualTo(second);
		assertThat(second.calls).containsExactly("start", "doorbell");
		assertThat(first.calls).containsExactly("close");
	}

	/** It is tried out before it starts, and the one before was ended by force. */
	@Test
	void theNextLoopFindsTheCommandToStop() {
		ServingLoop loop = serving(new PlayedLoop(this.failed));
		this.region.control().command(Command.RUN);
		loop.handOver((region) -> {
			assertThat(region.control().command()).isEqualTo(Command.STOP);
			return new PlayedLoop(null);
		}, UNPREPARED, true);
	}

	@Test
	void theNextLoopIsPreparedBeforeItStarts() {
		PlayedLoop second = new PlayedLoop(null);
		serving(new PlayedLoop(this.failed)).handOver((region) -> second, (next) -> {
			assertThat(next).isEqualTo(second);
			assertThat(second.calls).isEmpty();
		}, true);
		assertThat(second.calls).containsExactly("start", "doorbell");
	}

	@Test
	void aLoopThatCannotBePreparedIsClosed() {
		PlayedLoop second = new PlayedLoop(null);
		assertThatIllegalStateException()
			.isThrownBy(() -> serving(new PlayedLoop(this.failed)).handOver((region) -> second, (next) -> {
				throw new IllegalStateException("has lost its device");
			}, true));
		assertThat(second.calls).containsExactly("close");
	}

	@Test
	void aKernelThatIsInactiveIsHandedOverAndNotStarted() {
		PlayedLoop second = new PlayedLoop(null);
		serving(new PlayedLoop(this.failed)).handOver((region) -> second, UNPREPARED, false);
		assertThat(second.calls).containsExactly("doorbell");
	}

	@Test
	void theLoopBeforeCommandsNothingAnyMore() {
		ServingLoop loop = serving(new PlayedLoop(this.failed));
		ControlBlock before = this.region.control();
		loop.handOver((region) -> new PlayedLoop(null), UNPREPARED, true);
		ControlBlock now = loop.region().control();
		now.command(Command.RUN);
		before.command(Command.STOP);
		assertThat(now.command()).isEqualTo(Command.RUN);
		assertThat(before.command()).isEqualTo(Command.STOP);
	}

	@Test
	void aHandOverThatFailsMayBeTriedAgain() {
		PlayedLoop first = new PlayedLoop(this.failed);
		ServingLoop loop = serving(first);
		PlayedLoop broken = new PlayedLoop(null);
		broken.refusal = new IllegalStateException("does not start");
		assertThatIllegalStateException().isThrownBy(() -> loop.handOver((region) -> broken, UNPREPARED, true));
		assertThat(broken.calls).containsExactly("start", "close");
		assertThat(loop.current()).isEqualTo(first);
		PlayedLoop second = new PlayedLoop(null);
		loop.handOver((region) -> {
			assertThat(region.before()).isEqualTo(first);
			return second;
		}, UNPREPARED, true);
		assertThat(loop.current()).isEqualTo(second);
		loop.region().control().command(Command.RUN);
		assertThat(loop.region().control().command()).isEqualTo(Command.RUN);
	}

	@Test
	void whatMayHaveBeenBegunByForceIsAnsweredAsLost() {
		HostRing ring = this.region.host();
		long begun = publish(ring);
		long waiting = publish(ring);
		PlayedLoop first = new PlayedLoop(this.failed);
		first.begun = new long[] { begun };
		serving(first).handOver((region) -> new PlayedLoop(null), UNPREPARED, true);
		assertThat(ring.responses().isAnswered(begun)).isTrue();
		assertThat(ring.responses().kind(begun)).isEqualTo(MessageKind.LOST);
		assertThat(ring.responses().isAnswered(waiting)).isFalse();
		assertThat(this.counters.losses()).isEqualTo(1);
		assertThat(this.counters.replays()).isZero();
	}

	@Test
	void whatMayHaveBeenBegunIsLeftToTheNextLoopIfItMayBeHandledTwice() {
		HostRing ring = this.region.host();
		long begun = publish(ring);
		PlayedLoop first = new PlayedLoop(this.failed);
		first.begun = new long[] { begun };
		new ServingLoop(first, this.region, (position) -> true, this.counters, STOP_TIMEOUT, this.moves::add)
			.handOver((region) -> new PlayedLoop(null), UNPREPARED, true);
		assertThat(ring.responses().isAnswered(begun)).isFalse();
		assertThat(this.counters.replays()).isEqualTo(1);
		assertThat(this.counters.losses()).isZero();
	}

	@Test
	void whatNoLoopHandlesAgainCountsAsNoReplay() {
		PlayedLoop first = new PlayedLoop(this.failed);
		first.begun = new long[] { publish(this.region.host()) };
		ServingLoop loop = new ServingLoop(first, this.region, (position) -> true, this.counters, STOP_TIMEOUT,
				this.moves::add);
		assertThatIllegalStateException().isThrownBy(() -> loop.handOver((region) -> {
			throw new IllegalStateException("there is no device");
		}, UNPREPARED, true));
		assertThat(this.counters.replays()).isZero();
	}

	private static long publish(HostRing ring) {
		long position = ring.claims().tryClaim();
		ring.requests().retract(position);
		return position;
	}

	@Test
	void eachLoopThatFailsIsHandedOver() {
		ServingLoop loop = serving(new PlayedLoop(this.failed));
		for (int i = 1; i <= 10; i++) {
			assertThat(loop.failure()).isNull();
			assertThat(loop.failure()).isNull();
			assertThat(this.moves).hasSize(i);
			loop.handOver((region) -> new PlayedLoop(this.failed), UNPREPARED, true);
		}
	}

	/** Who hears that a hand-over has failed loads another loop. */
	@Test
	void whatFailsOnceTheNextLoopServesDoesNotFailTheHandOver() {
		PlayedLoop first = new PlayedLoop(this.failed);
		first.closing = new IllegalStateException("its device does not answer");
		PlayedLoop second = new PlayedLoop(this.failed);
		second.ringing = new IllegalStateException("its socket is broken");
		ServingLoop loop = serving(first);
		assertThat(loop.failure()).isNull();
		loop.handOver((region) -> second, UNPREPARED, true);
		assertThat(loop.current()).isEqualTo(second);
		assertThat(second.calls).containsExactly("start", "doorbell");
		assertThat(loop.failure()).isNull();
		assertThat(this.moves).hasSize(2);
		first.closing = null;
		loop.close();
		assertThat(first.calls).containsExactly("close", "close");
	}

	@Test
	void aLoopThatNeitherStartsNorClosesSaysWhyItDidNotStart() {
		PlayedLoop broken = new PlayedLoop(null);
		broken.refusal = new IllegalStateException("does not start");
		broken.closing = new IllegalStateException("does not close");
		broken.begun = new long[] { publish(this.region.host()) };
		assertThatIllegalStateException()
			.isThrownBy(() -> serving(new PlayedLoop(this.failed)).handOver((region) -> broken, UNPREPARED, true))
			.withMessage("does not start")
			.satisfies((ex) -> assertThat(ex).hasSuppressedException(broken.closing));
		assertThat(this.counters.losses()).isEqualTo(1);
	}

	@Test
	void noOtherLoopServesBesideOneThatHasStartedAllTheSame() {
		PlayedLoop broken = new PlayedLoop(null);
		broken.refusal = new IllegalStateException("says that it does not start");
		broken.active = 1;
		ServingLoop loop = serving(new PlayedLoop(this.failed));
		assertThatIllegalStateException().isThrownBy(() -> loop.handOver((region) -> broken, UNPREPARED, true));
		assertThat(loop.failure()).isEqualTo(broken.refusal);
		assertThatIllegalStateException()
			.isThrownBy(() -> loop.handOver((region) -> new PlayedLoop(null), UNPREPARED, true))
			.withCause(broken.refusal);
	}

	@Test
	void aLoopThatHasNotGivenBackAllCountsUntilItHas() {
		PlayedLoop first = new PlayedLoop(this.failed);
		first.active = 1;
		ServingLoop loop = serving(first);
		loop.handOver((region) -> new PlayedLoop(null), UNPREPARED, true);
		assertThat(loop.activeWorkers()).isEqualTo(1);
		first.active = 0;
		loop.close();
		assertThat(first.calls).containsExactly("close", "close");
		loop.close();
		assertThat(first.calls).hasSize(2);
	}

}
