package io.ringkernel.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostResponses;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.ring.WaitStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a stream, for one thread at a time: takes the responses in the
 * order of their requests, several in a row where they are there.
 * <p>
 * <strong>Runs.</strong> Each response lies in lines that a worker has just written. A
 * receiver that follows the workers slot by slot waits for each line by itself, and takes
 * it from a worker that is still writing: that costs several times what a response costs
 * that has lain there for a microsecond. So where many responses are outstanding, the
 * receiver looks at the last of a run alone until it is there, for a microsecond at most,
 * and then at all of them: their lines are on their way at the same time.
 * <p>
 * <strong>Slots</strong> are given back by a store each. The fence that a parked producer
 * needs follows at the end of a run, and whenever the receiver has caught up.
 */
final class StreamReceiver<O> {

	/** How long a receiver that is ahead of its sender sleeps once it has spun. */
	private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/** A receiver that spins looks at the clock and the state when these bits are set. */
	private static final int CHECK_MASK = 63;

	/** The responses of a run. */
	private static final int RUN = 16;

	/**
	 * How often the receiver looks at the last one of a run: for a microsecond at most,
	 * where a pause instruction takes 40 ns.
	 */
	private static final int LOOKS = 24;

	private final KernelSession<?, ?> session;

	private final HostResponses responses;

	private final SlotClaims claims;

	private final ResponseReceiver<O> receiver;

	private final ResponseTaker<O> taker;

	private final SlotWaiters waiters;

	private final WaitStrategy waitStrategy;

	private final PositionQueue positions;

	private final long timeoutNanos;

	private final Draft draft;

	/**
	 * Its mark is the first position whose response has not been seen to arrive. Kept
	 * apart, as a field of this object would take the others from the sender each time it
	 * is written.
	 */
	private final StreamCounter answered = new StreamCounter();

	StreamReceiver(KernelSession<?, ?> session, ResponseReceiver<O> receiver, PositionQueue positions,
			long timeoutNanos) {
		this.session = session;
		HostRing ring = session.ring();
		this.responses = ring.responses();
		this.claims = ring.claims();
		this.receiver = receiver;
		this.taker = receiver.taker();
		this.waiters = session.waiters();
		this.waitStrategy = session.kernel().options().waitStrategy();
		this.positions = positions;
		this.timeoutNanos = timeoutNanos;
		this.draft = ring.draft();
	}

	O receive(long deadline) {
		if (this.positions.known() == 0) {
			awaitSent();
		}
		boolean seen = countAnswered(1) > 0;
		long position = this.positions.take();
		long[] owned = this.waiters.owned;
		int slot = (int) position & (owned.length - 1);
		owned[slot] = position + 1;
		try {
			O response = seen ? tryTake(position) : null;
			return (response != null) ? response : this.receiver.await(position, deadline, this.timeoutNanos);
		}
		catch (Throwable ex) {
			if (owned[slot] == position + 1) {
				owned[slot] = 0;
				this.waiters.givenUp[slot] = position + 1;
				this.waiters.wakeForGivenUp();
			}
			throw ex;
		}
	}

	private @Nullable O tryTake(long position) {
		boolean taken = true;
		try {
			O response = this.taker.read(position, this.draft);
			taken = response != null;
			return response;
		}
		finally {
			if (taken) {
				this.taker.freeRun(position, 1);
				signalFreed(position);
			}
		}
	}

	/** Wakes a producer that waits for a slot, now and then behind a fence. */
	private void signalFreed(long position) {
		if (position % RUN == 0 || this.positions.known() == 0) {
			this.claims.signalRunFreed();
		}
		else {
			this.claims.signalFreed();
		}
	}

	/**
	 * Hands out the next response, for which it waits, and those behind it that are
	 * there.
	 */
	int drain(Consumer<? super O> consumer, int limit) {
		if (limit < 1) {
			throw new IllegalArgumentException("limit is " + limit + "; pass at least 1");
		}
		int taken = takeRun(consumer, countNext(limit));
		if (taken == 0) {
			consumer.accept(receive(Deadlines.UNSET));
			taken = 1;
		}
		for (int took = taken; took > 0 && taken < limit; taken += took) {
			took = takeRun(consumer, countNext(limit - taken));
		}
		return taken;
	}

	/** How many of the next responses are there, at most a run. */
	private int countNext(int most) {
		return hasUntaken() ? countAnswered(Math.min(most, RUN)) : 0;
	}

	/**
	 * Takes responses in a row, hands them out and returns how many: fewer, perhaps none,
	 * if a part of one is still on its way. Those whose turn has come count as taken
	 * whatever happens to them; the slots of all of them are given back at the end.
	 */
	private int takeRun(Consumer<? super O> consumer, int count) {
		long first = this.positions.peek();
		int taken = 0;
		try {
			while (taken < count) {
				taken++;
				O response = this.taker.read(first + taken - 1, this.draft);
				if (response == null) {
					taken--;
					return taken;
				}
				consumer.accept(response);
			}
			return taken;
		}
		finally {
			if (taken > 0) {
				this.positions.take(taken);
				this.taker.freeRun(first, taken);
				this.claims.signalRunFreed();
			}
		}
	}

	/**
	 * How many of the next positions, which are {@linkplain PositionQueue#known known},
	 * have a response that has begun to arrive; at most so many.
	 */
	private int countAnswered(int most) {
		long next = this.positions.peek();
		if (next + most > this.answered.mark) {
			look(next);
		}
		return (int) Math.max(0, Math.min(most, this.answered.mark - next));
	}

	private void look(long next) {
		long position = Math.max(next, this.answered.mark);
		long known = next + this.positions.knownInRun();
		long end = Math.min(known, position + RUN);
		if (end - position == RUN) {
			awaitLast(end - 1);
		}
		while (position < end && this.responses.isAnswering(position)) {
			position++;
		}
		this.answered.mark = position;
	}

	private void awaitLast(long last) {
		for (int look = 0; look < LOOKS && !this.responses.isAnswering(last); look++) {
			Thread.onSpinWait();
		}
	}

	/** Whether a response is not yet taken; for a thread that sends and receives. */
	boolean hasUntaken() {
		return this.positions.known() > 0 || this.positions.look();
	}

	/** Gives up what was sent and not received, when neither thread is at work. */
	void giveUpUntaken() {
		long now = System.nanoTime();
		while (hasUntaken()) {
			this.waiters.giveUp(this.positions.take(), now);
		}
	}

	private void awaitSent() {
		long deadline = Deadlines.UNSET;
		for (int round = 0; !this.positions.look(); round++) {
			boolean spins = this.waitStrategy.pause(round);
			if (spins && (round & CHECK_MASK) != CHECK_MASK && round < WaitStrategy.SPINS) {
				continue;
			}
			deadline = Deadlines.orIn(deadline, this.timeoutNanos);
			this.session.sessionEnd().check();
			if (Thread.interrupted()) {
				throw this.receiver.interrupted();
			}
			if (Deadlines.hasPassed(deadline)) {
				throw this.receiver.nothingSent(this.timeoutNanos);
			}
			if (!spins) {
				LockSupport.parkNanos(this, SLEEP_NANOS);
			}
		}
	}

}
