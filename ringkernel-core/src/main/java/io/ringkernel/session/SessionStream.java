package io.ringkernel.session;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.RequestStream;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.WaitStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A stream over one session: the receiver takes the responses in the order in which the
 * sender has published their requests.
 */
final class SessionStream<I extends Record, O extends Record> implements RequestStream<I, O> {

	/** How long a receiver that is ahead of its sender sleeps once it has spun. */
	private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/** A receiver that spins looks at the clock and the state when these bits are set. */
	private static final int CHECK_MASK = 63;

	/**
	 * How many responses the receiver looks at in a row. Each lies in lines that the
	 * device has just written; looked at one after another, with nothing in between, they
	 * are on their way from memory at the same time.
	 */
	private static final int LOOK_AHEAD = 16;

	private final KernelSession<I, O> session;

	private final RequestSender<I> sender;

	private final ResponseReceiver<O> receiver;

	private final SlotWaiters waiters;

	private final WaitStrategy waitStrategy;

	private final long timeoutNanos;

	private final Admission admission;

	private final PositionQueue positions;

	/**
	 * The receiver's: its mark is the first position whose response has not been seen to
	 * arrive. Kept apart, as a field of this object would take the others from the sender
	 * each time it is written.
	 */
	private final StreamCounter answered = new StreamCounter();

	private final StreamPace pace;

	SessionStream(KernelSession<I, O> session, long timeoutNanos, Admission admission) {
		this.session = session;
		this.sender = session.sender();
		this.receiver = session.receiver();
		this.waiters = session.waiters();
		this.waitStrategy = session.kernel().options().waitStrategy();
		this.timeoutNanos = timeoutNanos;
		this.admission = admission;
		int slots = session.ring().layout().slots();
		this.positions = new PositionQueue(slots);
		this.pace = new StreamPace(this.positions, slots);
	}

	@Override
	public void send(I request) {
		this.session.checkOpen();
		long position = this.sender.trySend(request, this.admission);
		if (position == HostRing.NO_SLOT) {
			position = this.sender.send(request, Deadlines.in(this.timeoutNanos), this.timeoutNanos, this.admission);
		}
		boolean queued = false;
		try {
			this.positions.add(position);
			queued = true;
		}
		finally {
			if (!queued) {
				this.waiters.givenUp[(int) position & (this.waiters.givenUp.length - 1)] = position + 1;
			}
		}
		this.pace.sent(position);
	}

	@Override
	public O receive() {
		return receive(Deadlines.UNSET);
	}

	O receive(long deadline) {
		if (this.positions.known() == 0) {
			awaitSent();
		}
		long position = this.positions.take();
		long[] owned = this.waiters.owned;
		int slot = (int) position & (owned.length - 1);
		owned[slot] = position + 1;
		try {
			return receive(position, deadline);
		}
		catch (Throwable ex) {
			if (owned[slot] == position + 1) {
				owned[slot] = 0;
				this.waiters.givenUp[slot] = position + 1;
				this.waiters.wakeDispatcher();
			}
			throw ex;
		}
	}

	private O receive(long position, long deadline) {
		if (position < this.answered.mark) {
			O response = this.receiver.tryTake(position);
			if (response != null) {
				return response;
			}
		}
		O response = this.receiver.await(position, deadline, this.timeoutNanos);
		lookAhead();
		return response;
	}

	private void lookAhead() {
		long most = Math.min(LOOK_AHEAD, this.positions.knownInRun());
		if (most > 0) {
			long position = this.positions.peek();
			long end = position + most;
			while (position < end && this.receiver.isAnswering(position)) {
				position++;
			}
			this.answered.mark = position;
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
				throw this.receiver.timedOut(this.timeoutNanos);
			}
			if (!spins) {
				LockSupport.parkNanos(this, SLEEP_NANOS);
			}
		}
	}

	/**
	 * Sends one of the requests of a batch, whose sender is its receiver. If the ring is
	 * full, it takes the batch's own responses first. A kernel that rejects refuses the
	 * batch, but not the batch's own length.
	 */
	void sendOfBatch(I request, long deadline, List<O> responses) {
		boolean isFirst = responses.isEmpty() && !hasUntaken();
		Admission admission = isFirst ? this.admission : this.admission.patiently();
		long position = this.sender.trySend(request, admission);
		while (position == HostRing.NO_SLOT && hasUntaken()) {
			responses.add(receive(deadline));
			position = this.sender.trySend(request, admission);
		}
		if (position == HostRing.NO_SLOT) {
			position = this.sender.send(request, deadline, this.timeoutNanos, admission);
		}
		boolean queued = false;
		try {
			this.positions.add(position);
			queued = true;
		}
		finally {
			if (!queued) {
				this.waiters.givenUp[(int) position & (this.waiters.givenUp.length - 1)] = position + 1;
			}
		}
	}

	/**
	 * Whether a response has not been taken yet; for the thread that sends and receives.
	 */
	boolean hasUntaken() {
		return this.positions.known() > 0 || this.positions.look();
	}

	@Override
	public void close() {
		long now = System.nanoTime();
		while (hasUntaken()) {
			this.waiters.giveUp(this.positions.take(), now);
		}
	}

}
