package io.ringkernel.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.RequestStream;
import io.ringkernel.ring.WaitStrategy;

/**
 * A stream over one session: the sender notes the positions it has published, the
 * receiver takes their responses in that order.
 * <p>
 * The notes are a queue between two threads, in a ring of their own that is as large as
 * the session's. The sender stores a note and then its count with release; the receiver
 * loads that count with acquire before it reads the note. The receiver stores its own
 * count with release after it has read a note; the sender loads that with acquire before
 * it overwrites one. The queue is never full: each note that was not read stands for a
 * slot that is in flight.
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

	/** Notes in a cache line. */
	private static final int NOTES_PER_LINE = 8;

	private final long[] positions;

	private final int lines;

	private final int lineBits;

	private final int noteBits;

	/** How many of the next responses were seen to be there; the receiver's. */
	private int ready;

	private final StreamCounter sent = new StreamCounter();

	private final StreamCounter received = new StreamCounter();

	SessionStream(RequestSender<I> sender, ResponseReceiver<O> receiver, SessionEnd end, WaitStrategy waitStrategy,
			int slots, long timeoutNanos, Admission admission) {
		this.sender = sender;
		this.receiver = receiver;
		this.end = end;
		this.waitStrategy = waitStrategy;
		this.timeoutNanos = timeoutNanos;
		this.admission = admission;
		this.positions = new long[slots];
		this.lines = Math.max(1, slots / NOTES_PER_LINE);
		this.lineBits = Integer.numberOfTrailingZeros(this.lines);
		this.noteBits = Integer.numberOfTrailingZeros(slots / this.lines);
	}

	@Override
	public void send(I request) {
		int length = this.sender.measure(request);
		long position = this.sender.claim(Deadlines.UNSET, this.timeoutNanos, this.admission);
		this.sender.publish(position, request, length);
		long count = this.sent.own();
		if (count - this.sent.seenOther() >= this.positions.length) {
			this.sent.see(this.received);
		}
		this.positions[place(count)] = position;
		this.sent.advance();
	}

	@Override
	public O receive() {
		if (this.received.own() == this.received.seenOther()) {
			awaitSent();
		}
		if (this.ready > 0) {
			this.ready--;
			return this.receiver.take(next());
		}
		O response = this.receiver.await(next(), Deadlines.UNSET, this.timeoutNanos);
		lookAhead();
		return response;
	}

	private void lookAhead() {
		long from = this.received.own();
		int most = (int) Math.min(LOOK_AHEAD, this.received.seenOther() - from);
		int ahead = 0;
		while (ahead < most && this.receiver.isAnswered(this.positions[place(from + ahead)])) {
			ahead++;
		}
		this.ready = ahead;
	}

	private long next() {
		long position = this.positions[place(this.received.own())];
		this.received.advance();
		return position;
	}

	private void awaitSent() {
		long deadline = Deadlines.UNSET;
		for (int round = 0; this.received.see(this.sent) == this.received.own(); round++) {
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

	/**
	 * The place of a note: neighbours are in different cache lines. The receiver is not
	 * far behind the sender, and would take the line of its note from it while that
	 * writes the next ones.
	 */
	private int place(long count) {
		int note = (int) count & (this.positions.length - 1);
		return (note & (this.lines - 1)) << this.noteBits | note >>> this.lineBits;
	}

	@Override
	public void close() {
		while (this.received.own() < this.received.see(this.sent)) {
			this.receiver.abandon(next());
		}
	}

}
