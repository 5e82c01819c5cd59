package io.ringkernel.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * How long a thread rests between two looks for a response that is slow.
 * <p>
 * A loop that rings a bell wakes its waiters, so they sleep; each look is only there to
 * nudge the loop, and twice as far from the one before. A device rings no bell. There a
 * waiter sleeps until shortly before the time that responses were seen to take, spins
 * from there, and beyond it rests for a small fraction of what has passed. It never rests
 * for longer than half of what has passed, so a response that comes much sooner than
 * usual is not taken for a slow one. The operating system adds some 50 µs to each sleep;
 * a thread that knows nothing yet therefore spins until that is a few percent of its
 * wait.
 */
final class Pacing {

	/** What a sleep takes longer than it is told: timer slack and the switch. */
	private static final long OVERSLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(70);

	/** Until then, an unknown wait is spent yielding. */
	private static final long UNKNOWN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

	/** So long, every waiter looks and yields, however many there are. */
	private static final long YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	private static final long MIN_REST_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/** The longest rest: then the waiter nudges the loop again. */
	private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** The first rest of a waiter that a bell wakes. */
	private static final long MIN_BELL_REST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	/** If more threads wait than this, none of them spins for long. */
	private static final int MAX_WAITING = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

	private final BooleanSupplier rings;

	/** How many threads wait for a response that is slow. */
	private final AtomicInteger waiting = new AtomicInteger();

	/**
	 * What responses were seen to take, close to the shortest. Written by each thread
	 * that has waited: a lost update is one observation less.
	 */
	private volatile long expected;

	/**
	 * Creates the pacing of a session.
	 * @param rings whether the present loop wakes those who wait
	 */
	Pacing(BooleanSupplier rings) {
		this.rings = rings;
	}

	/**
	 * How long to rest.
	 * @param elapsed for how long the thread has waited, in nanoseconds
	 * @return nanoseconds; 0 to look again at once
	 */
	long rest(long elapsed) {
		return Math.min(MAX_REST_NANOS,
				this.rings.getAsBoolean() ? Math.max(MIN_BELL_REST_NANOS, elapsed) : restOfDevice(elapsed));
	}

	private long restOfDevice(long elapsed) {
		long usual = this.expected;
		long early = usual - usual / 16 - OVERSLEEP_NANOS - elapsed;
		if (early > MIN_REST_NANOS) {
			return Math.min(early, Math.max(MIN_REST_NANOS, elapsed / 2));
		}
		boolean isNear = elapsed < UNKNOWN_NANOS || elapsed < usual + usual / 8;
		boolean spins = elapsed < YIELD_NANOS || (isNear && this.waiting.get() <= MAX_WAITING);
		return spins ? 0 : Math.max(MIN_REST_NANOS, elapsed / 32);
	}

	/**
	 * Counts a thread that waits for a response that is slow.
	 */
	void waitBegun() {
		this.waiting.incrementAndGet();
	}

	void waitEnded() {
		this.waiting.decrementAndGet();
	}

	/**
	 * Learns what a response took: from shorter ones quickly, from longer ones slowly.
	 */
	void observed(long nanos) {
		long usual = this.expected;
		long change = nanos - usual;
		this.expected = (usual == 0) ? nanos : usual + ((change < 0) ? change / 2 : change / 8);
	}

}
