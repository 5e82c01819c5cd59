package io.ringkernel.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.ringkernel.ring.WaitStrategy;

/**
 * How a thread waits for a response: for how long it spins, and for how long it rests
 * between two looks.
 * <p>
 * A thread <strong>spins</strong> first, because a response that comes within
 * microseconds is cheapest to wait for awake. Beside a loop of this process, spinning
 * keeps the worker from its core if there are too few: after waits that outlasted the
 * spinning, a thread goes to sleep at once, and one wait in 64 tries again.
 * <p>
 * <strong>A loop that rings a bell</strong> wakes its waiters, and they sleep until then.
 * Two things a bell cannot do. A sleeper takes tens of microseconds to wake, so waiters
 * of responses that take long enough wake shortly before the usual time, while they are
 * no more than half the cores. And the loop brings up another worker only when it is
 * nudged: one of the waiters, the watch, does that at short intervals for all of them.
 * <p>
 * <strong>A device</strong> rings no bell. There a waiter sleeps until shortly before the
 * time that responses were seen to take, spins from there, and beyond it rests for a
 * small fraction of what has passed. It never rests for longer than half of what has
 * passed, so a response that comes much sooner than usual is not taken for a slow one.
 * The operating system adds some 50 µs to each sleep; a thread that knows nothing yet
 * therefore spins until that is a few percent of its wait.
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

	/** The shortest rest of the watch. */
	private static final long MIN_WATCH_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

	/**
	 * Waking ahead of a bell keeps a thread awake for some 150 µs and a fifth of the time
	 * that responses take; it is worth that from here on.
	 */
	private static final long FORESEEABLE_NANOS = TimeUnit.MICROSECONDS.toNanos(700);

	/** If more threads wait than this, none of them spins for long. */
	private static final int MAX_WAITING = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

	/** How often a thread spins after waits that outlasted the spinning. */
	private static final int FEW_SPINS = 8;

	/** One position in so many is waited for with all spins. */
	private static final int TRIAL_MASK = 63;

	private static final int TRIAL_GAIN = 8;

	private static final int MAX_SCORE = 32;

	private final BooleanSupplier rings;

	/** How many threads wait for a response that is slow. */
	private final AtomicInteger waiting = new AtomicInteger();

	/** Whether a waiter is the watch. */
	private final AtomicBoolean watched = new AtomicBoolean();

	/** What responses were seen to take. A lost update is one observation less. */
	private volatile long expected;

	/**
	 * Grows with each wait that ended while its thread spun, shrinks with each that did
	 * not; spinning is worth it from 0 on. Not written where it is at its limit, so
	 * callers that spin with success share the line and cause no misses of the cache.
	 */
	private volatile int score = MAX_SCORE;

	Pacing(BooleanSupplier rings) {
		this.rings = rings;
	}

	/** How often a thread spins before its wait counts as slow. */
	int spins(long position) {
		return (this.score >= 0 || (position & TRIAL_MASK) == 0) ? WaitStrategy.SPINS : FEW_SPINS;
	}

	/**
	 * Learns whether a response came while its thread spun. Failures count only beside a
	 * loop that rings: its workers need the cores that spinning takes.
	 */
	void spun(boolean answered) {
		int seen = this.score;
		if (answered) {
			if (seen < MAX_SCORE) {
				this.score = Math.min(MAX_SCORE, seen + ((seen < 0) ? TRIAL_GAIN : 1));
			}
		}
		else if (seen > -MAX_SCORE && this.rings.getAsBoolean()) {
			this.score = seen - 1;
		}
	}

	/**
	 * How many nanoseconds to rest; 0 to look again at once.
	 * @param elapsed for how long the thread has waited, in nanoseconds
	 * @param isWatch whether the thread looks after the loop for all waiters
	 */
	long rest(long elapsed, boolean isWatch) {
		return Math.min(MAX_REST_NANOS,
				this.rings.getAsBoolean() ? restBesideBell(elapsed, isWatch) : restOfDevice(elapsed));
	}

	private long restBesideBell(long elapsed, boolean isWatch) {
		long usual = this.expected;
		if (usual >= FORESEEABLE_NANOS && this.waiting.get() <= MAX_WAITING) {
			long early = untilShortlyBefore(usual, elapsed);
			if (early > MIN_REST_NANOS) {
				return early;
			}
			if (isNear(usual, elapsed)) {
				return 0;
			}
		}
		return isWatch ? restOfWatch(elapsed) : MAX_REST_NANOS;
	}

	/**
	 * How many nanoseconds the dispatcher rests while replies are outstanding and none
	 * has come for some; 0 to look again at once.
	 */
	long restOfDispatcher(long elapsed) {
		return Math.min(MAX_REST_NANOS, this.rings.getAsBoolean() ? restOfWatch(elapsed) : restOfDevice(elapsed));
	}

	private static long restOfWatch(long elapsed) {
		return Math.max(MIN_WATCH_NANOS, elapsed / 4);
	}

	private long restOfDevice(long elapsed) {
		long usual = this.expected;
		long early = untilShortlyBefore(usual, elapsed);
		if (early > MIN_REST_NANOS) {
			return Math.min(early, Math.max(MIN_REST_NANOS, elapsed / 2));
		}
		boolean isNear = elapsed < UNKNOWN_NANOS || isNear(usual, elapsed);
		boolean spins = elapsed < YIELD_NANOS || (isNear && this.waiting.get() <= MAX_WAITING);
		return spins ? 0 : Math.max(MIN_REST_NANOS, elapsed / 32);
	}

	private static long untilShortlyBefore(long usual, long elapsed) {
		return usual - usual / 16 - OVERSLEEP_NANOS - elapsed;
	}

	private static boolean isNear(long usual, long elapsed) {
		return elapsed < usual + usual / 8;
	}

	/** Becomes the watch and returns {@code true}, if there is none. */
	boolean tryWatch() {
		return !this.watched.get() && this.watched.compareAndSet(false, true);
	}

	void waitBegun() {
		this.waiting.incrementAndGet();
	}

	void waitEnded(boolean wasWatch) {
		if (wasWatch) {
			this.watched.set(false);
		}
		this.waiting.decrementAndGet();
	}

	/** Learns what a response took: from shorter ones fast, from longer ones slowly. */
	void observed(long nanos) {
		long usual = this.expected;
		long change = nanos - usual;
		this.expected = (usual == 0) ? nanos : usual + ((change < 0) ? change / 2 : change / 8);
	}

}
