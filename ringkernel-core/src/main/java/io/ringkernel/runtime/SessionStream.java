package io.ringkernel.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.RequestStream;
import io.ringkernel.ring.WaitStrategy;

/**
 * A stream over one session: the receiver takes the responses in the order in which the
 * sender has published their requests.
 */
final class SessionStream<I extends Record, O extends Record> implements RequestStream<I, O> {

	/** How long a receiver that is ahead of its sender sleeps once it has spun. */
	private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/** A receiver that spins looks at the clock and the state when these bits are set. */
	private static final int CHECK_MASK = 63;

	private final RequestSender<I> sender;

	private final ResponseReceiver<O> receiver;

	private final SessionEnd end;

	private final WaitStrategy waitStrategy;

	private final long timeoutNanos;

	private final Admission admission;

	/**
	 * How many responses the receiver looks at in a row. Each lies in lines that the
	 * device has just written; looked at one after another, with nothing in between, they
	 * are on their way from memory at the same time.
	 */
	private static final int LOOK_AHEAD = 16;

	private final PositionQueue positions;

	/**
	 * The receiver's: its mark is the first position whose response has not been seen to
	 * arrive. Kept apart, as a field of this object would take the others from the sender
	 * each time it is written.
	 */
	private final StreamCounter answered = new StreamCounter();

	private final StreamPace pace;

	SessionStream(RequestSender<I> sender, ResponseReceiver<O> receiver, SessionEnd end, WaitStrategy waitStrategy,
			int slots, long timeoutNanos, Admission admission) {
		this.sender = sender;
		this.receiver = receiver;
		this.end = end;
		this.waitStrategy = waitStrategy;
		this.timeoutNanos = timeoutNanos;
		this.admission = admission;
		this.positions = new PositionQueue(slots);
		this.pace = new StreamPace(this.positions, slots);
	}

	@Override
	public void send(I request) {
		int length = this.sender.measure(request);
		long position = this.sender.claim(Deadlines.UNSET, this.timeoutNanos, this.admission);
		this.sender.publish(position, request, length);
		this.positions.add(position);
		this.pace.sent(position);
	}

	@Override
	public O receive() {
		if (this.positions.known() == 0) {
			awaitSent();
		}
		long position = this.positions.take();
		if (position < this.answered.mark()) {
			O response = this.receiver.tryTake(position);
			if (response != null) {
				return response;
			}
		}
		O response = this.receiver.await(position, Deadlines.UNSET, this.timeoutNanos);
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
			this.answered.mark(position);
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
			this.end.check();
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

	@Override
	public void close() {
		while (this.positions.look()) {
			this.receiver.abandon(this.positions.take());
		}
	}

}
