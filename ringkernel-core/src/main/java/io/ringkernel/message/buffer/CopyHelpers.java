package io.ringkernel.message.buffer;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Threads that take part in large copies. To wake a thread takes as long as to copy some
 * hundred KiB, so a single copy is worth it only if it is larger than that. Where large
 * copies follow each other, a thread that has helped stays awake for a moment and finds
 * the next copy by itself: then even a copy of a few parts is worth sharing.
 * <p>
 * The threads are those of a pool, which may have none to spare. A copy waits for no
 * thread to come.
 */
final class CopyHelpers {

	/** Waking a thread takes as long as copying so much. */
	private static final int BYTES_PER_HELPER = 256 << 10;

	/** What a thread that is awake copies at least. */
	private static final int BYTES_PER_AWAKE_HELPER = SharedCopy.LEAST_BYTES_PER_PART;

	/** A smaller copy is done before another thread has seen it. */
	private static final int LEAST_BYTES = 64 << 10;

	/** After so many copies that follow each other, threads are woken for the next. */
	private static final int FREQUENT = 8;

	/** More of them wait for memory. */
	private static final int MOST_AWAKE = 3;

	private static final int MOST_HELPERS = 7;

	/** For how long a thread that has helped looks for another copy. */
	private static final Duration STAY = Duration.ofNanos(200_000);

	/** A part takes microseconds, and a thread that is preempted milliseconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/** How often it looks before it offers its core to others. */
	private static final int LOOKS_PER_YIELD = 64;

	/** Half of the cores are left to others. */
	static final CopyHelpers COMMON = new CopyHelpers(ForkJoinPool.commonPool(), Math.min(MOST_HELPERS,
			Math.min(ForkJoinPool.getCommonPoolParallelism(), Runtime.getRuntime().availableProcessors() / 2 - 1)),
			STAY);

	private final Executor pool;

	private final int most;

	private final long stayNanos;

	private final Duration patience;

	/** The latest copy that is under way. */
	private final AtomicReference<@Nullable SharedCopy> offered = new AtomicReference<>();

	private final AtomicInteger awake = new AtomicInteger();

	/** When the latest copy began, about: callers race for it. */
	private long begunAt;

	/** How many copies have followed each other closely, likewise. */
	private volatile int streak;

	CopyHelpers(Executor pool, int most, Duration stay) {
		this(pool, most, stay, PATIENCE);
	}

	/** Creates helpers. The log tells of a part that takes longer than the patience. */
	CopyHelpers(Executor pool, int most, Duration stay, Duration patience) {
		this.patience = patience;
		this.pool = pool;
		this.most = most;
		this.stayNanos = stay.toNanos();
		this.begunAt = System.nanoTime() - this.stayNanos;
	}

	Duration patience() {
		return this.patience;
	}

	/**
	 * How many threads a copy of so many bytes is worth that is about to begin; 0 if the
	 * caller had better copy alone.
	 */
	int wanted(long bytes) {
		if (bytes < LEAST_BYTES || this.most <= 0) {
			return 0;
		}
		long wanted = bytes / BYTES_PER_HELPER - 1;
		if (isFrequent()) {
			wanted = Math.max(wanted, Math.min(MOST_AWAKE, bytes / BYTES_PER_AWAKE_HELPER - 1));
		}
		wanted = Math.min(this.most, wanted);
		return (wanted > this.awake.get() && isBusy()) ? 0 : (int) Math.max(0, wanted);
	}

	private boolean isFrequent() {
		long now = System.nanoTime();
		int follow = (now - this.begunAt < this.stayNanos) ? Math.min(FREQUENT, this.streak + 1) : 0;
		this.streak = follow;
		this.begunAt = now;
		return follow == FREQUENT;
	}

	/** Requests for help that wait in the queue of the pool would only become more. */
	private boolean isBusy() {
		return this.pool instanceof ForkJoinPool threads && threads.hasQueuedSubmissions();
	}

	/**
	 * Offers a copy to threads that are awake, and wakes others if these are fewer than
	 * wanted.
	 */
	void offer(SharedCopy copy, int wanted) {
		this.offered.set(copy);
		for (int missing = wanted - this.awake.get(); missing > 0; missing--) {
			this.pool.execute(this::help);
		}
	}

	/** Notes that a copy has ended; nothing is kept of it. */
	void ended(SharedCopy copy) {
		this.offered.compareAndSet(copy, null);
	}

	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	private void help() {
		if (this.awake.incrementAndGet() <= this.most) {
			long since = System.nanoTime();
			boolean stays = true;
			for (int look = 1; stays; look++) {
				SharedCopy copy = this.offered.get();
				if (copy != null && copy.help()) {
					since = System.nanoTime();
				}
				else if (look % LOOKS_PER_YIELD == 0) {
					Thread.yield();
				}
				else {
					Thread.onSpinWait();
				}
				stays = this.streak == FREQUENT && System.nanoTime() - since < this.stayNanos;
			}
		}
		this.awake.decrementAndGet();
	}

}
