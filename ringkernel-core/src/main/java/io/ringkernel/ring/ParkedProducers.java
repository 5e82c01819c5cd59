package io.ringkernel.ring;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * The line of the producers that sleep until a slot is given back, in the order in which
 * they came. A producer keeps its place until it has a slot or gives up.
 * <p>
 * <strong>Overtaking is bounded.</strong> A newcomer may claim a free slot before those
 * in line are awake, which keeps the ring busy. Each producer in line has a position at
 * which it is <em>due</em>: two rounds of the slots and of the producers before it. Once
 * the head has come to where the first in line is due, newcomers wait behind the line
 * until that one has a slot.
 * <p>
 * <strong>No wakeup is lost.</strong> A producer {@linkplain #join joins} the line and
 * then looks for a slot; a releaser releases and then looks for waiters. With both
 * volatile, one of the two sees the other.
 */
final class ParkedProducers {

	/** The longest sleep without a signal: this bounds what a lost one costs. */
	private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/**
	 * After how many rounds a producer is due. Each claim by a newcomer saves the time
	 * that a producer takes to wake up, so every other one may be.
	 */
	private static final int ROUNDS = 2;

	private final int slots;

	private final AtomicInteger waiters = new AtomicInteger();

	private final ConcurrentLinkedQueue<Place> line = new ConcurrentLinkedQueue<>();

	private volatile boolean closed;

	ParkedProducers(int slots) {
		this.slots = slots;
	}

	/** Whether newcomers have to wait behind the line. Costs one load if it is empty. */
	boolean isDue(long head) {
		return this.waiters.get() > 0 && isFirstDue(head);
	}

	private boolean isFirstDue(long head) {
		Place first = first();
		return first != null && head >= first.due;
	}

	Place place(long head) {
		return new Place(Thread.currentThread(), head + ROUNDS * ((long) this.waiters.get() + this.slots));
	}

	/** Joins the line. The caller then looks for a slot before it {@link #park parks}. */
	void join(Place place) {
		this.waiters.incrementAndGet();
		this.line.add(place);
	}

	/** Once the first in line is due, those behind it look only when they are woken. */
	boolean mayLook(Place place, long head) {
		return place.woken.getAndSet(false) || !isDue(head) || place.equals(first());
	}

	void park(long remaining) {
		LockSupport.parkNanos(this, Math.min(remaining, MAX_PARK_NANOS));
	}

	/**
	 * Leaves the line, and wakes the next producer: there may be more than one free slot,
	 * and the signal of that one may have come to this one. A thread that cannot call
	 * this has left all the same once {@link Place#left} is set.
	 */
	void leave(Place place) {
		remove(place);
		signal();
	}

	/** A thread that failed while it joined may not be in line. */
	private void remove(Place place) {
		if (this.line.remove(place)) {
			this.waiters.decrementAndGet();
		}
	}

	private @Nullable Place first() {
		Place first = this.line.peek();
		while (first != null && first.left) {
			remove(first);
			first = this.line.peek();
		}
		return first;
	}

	void signal() {
		if (this.waiters.get() > 0) {
			wakeNext();
		}
	}

	private void wakeNext() {
		for (Place place : this.line) {
			if (!place.left && place.woken.compareAndSet(false, true)) {
				LockSupport.unpark(place.thread);
				return;
			}
		}
	}

	/** Wakes all of them; from now on, none waits. */
	void close() {
		this.closed = true;
		this.line.forEach((place) -> LockSupport.unpark(place.thread));
	}

	boolean isClosed() {
		return this.closed;
	}

	/** The place of one producer in line. Compared by identity. */
	static final class Place {

		private final Thread thread;

		/** The head from which on nobody may overtake it. */
		private final long due;

		/** Whether it was woken and has not looked since. */
		private final AtomicBoolean woken = new AtomicBoolean();

		/** Whether its thread waits no more; set by a mere store, which cannot fail. */
		volatile boolean left;

		private Place(Thread thread, long due) {
			this.thread = thread;
			this.due = due;
		}

	}

}
