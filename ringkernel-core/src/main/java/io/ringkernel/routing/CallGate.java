package io.ringkernel.routing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Lets any number of calls through side by side, until it is closed for a moment in which
 * there is none.
 * <p>
 * A call counts itself in before it looks whether the gate is closed. Who closes it looks
 * at the counts afterwards. Each side stores before it loads, so at least one of them
 * sees the other. The counts are spread over cache lines: callers on different cores
 * seldom share one.
 */
final class CallGate {

	private static final int LONGS_PER_LINE = 16;

	/** A power of two. */
	private static final int LINES = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4 - 1);

	private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	private final AtomicLongArray inside = new AtomicLongArray(LINES * LONGS_PER_LINE);

	private volatile @Nullable CountDownLatch closed;

	/** What {@link #enter} returns if the gate stays closed. */
	static final int CLOSED = -1;

	/**
	 * Goes in.
	 * @param patience how long to wait while it is closed
	 * @return what to {@linkplain #leave leave} with, or {@link #CLOSED}
	 */
	int enter(Duration patience) throws InterruptedException {
		int line = (System.identityHashCode(Thread.currentThread()) & LINES - 1) * LONGS_PER_LINE;
		long begin = 0;
		while (true) {
			this.inside.getAndIncrement(line);
			CountDownLatch opening = this.closed;
			if (opening == null) {
				return line;
			}
			this.inside.getAndDecrement(line);
			long now = System.nanoTime();
			begin = (begin == 0) ? now : begin;
			if (!opening.await(patience.toNanos() - (now - begin), TimeUnit.NANOSECONDS)) {
				return CLOSED;
			}
		}
	}

	/** Goes out by what {@link #enter} has returned. */
	void leave(int line) {
		this.inside.getAndDecrement(line);
	}

	/**
	 * Closes the gate, and waits until nobody is inside. One thread at a time closes it,
	 * and opens it whatever this returns.
	 * @param deadline until when to wait, as {@link System#nanoTime()} tells the time
	 * @return whether nobody is inside
	 */
	boolean close(long deadline) throws InterruptedException {
		this.closed = new CountDownLatch(1);
		while (!isEmpty()) {
			if (deadline - System.nanoTime() <= 0) {
				return false;
			}
			LockSupport.parkNanos(this, REST_NANOS);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
		return true;
	}

	void open() {
		CountDownLatch opening = this.closed;
		this.closed = null;
		if (opening != null) {
			opening.countDown();
		}
	}

	/** A call that comes in after its count was read finds the gate closed, and goes. */
	private boolean isEmpty() {
		for (int line = 0; line < LINES; line++) {
			if (this.inside.get(line * LONGS_PER_LINE) != 0) {
				return false;
			}
		}
		return true;
	}

}
