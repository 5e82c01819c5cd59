package io.ringkernel.ring;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The producers that sleep until a slot is given back, in the order in which they came.
 */
final class ParkedProducers {

	/**
	 * How long a parked producer sleeps at most before it looks again by itself. A
	 * release wakes it earlier; this bounds what a lost signal costs.
	 */
	private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final AtomicInteger waiters = new AtomicInteger();

	private final ConcurrentLinkedQueue<Thread> parked = new ConcurrentLinkedQueue<>();

	private volatile boolean closed;

	/**
	 * Looks once more, and waits for a release. The count of waiters is raised and the
	 * thread queued before the look, and a releaser looks at the count after it has
	 * released: with both volatile, one of the two sees the other. A thread that was
	 * taken off the queue and has a slot all the same wakes the next one, whose signal it
	 * may have been.
	 * @param look claims a position, or returns {@link SlotClaims#BUSY}
	 * @param remaining how long to wait at most
	 */
	long await(LongSupplier look, long remaining) {
		Thread current = Thread.currentThread();
		boolean looksOn = false;
		this.waiters.incrementAndGet();
		try {
			this.parked.add(current);
			long position = look.getAsLong();
			if (position == SlotClaims.BUSY && !this.closed) {
				LockSupport.parkNanos(this, Math.min(remaining, MAX_PARK_NANOS));
				position = look.getAsLong();
			}
			looksOn = position == SlotClaims.BUSY;
			return position;
		}
		finally {
			this.waiters.decrementAndGet();
			boolean signalled = !this.parked.remove(current);
			if (signalled && !looksOn) {
				signal();
			}
		}
	}

	/**
	 * Wakes one producer; called behind a release.
	 */
	void signal() {
		if (this.waiters.get() > 0) {
			wakeNext();
		}
	}

	private void wakeNext() {
		Thread next = this.parked.poll();
		if (next != null) {
			LockSupport.unpark(next);
		}
	}

	/**
	 * Wakes all of them; from now on, none waits.
	 */
	void close() {
		this.closed = true;
		this.parked.forEach(LockSupport::unpark);
	}

	boolean isClosed() {
		return this.closed;
	}

}
