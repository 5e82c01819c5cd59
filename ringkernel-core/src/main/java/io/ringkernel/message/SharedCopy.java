package io.ringkernel.message;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;

import org.jspecify.annotations.Nullable;

/**
 * A copy that may be large enough to be worth more than one core. A core alone moves 12
 * GB/s between the heap and memory that no cache holds, which for 8 MiB is four times
 * what the bus takes.
 * <p>
 * The caller copies part by part, and threads of the common pool take parts from the same
 * counter as soon as they are awake: a thread that comes late finds nothing left, so the
 * caller never waits for one to start. The pool may have no thread that is free, or none
 * at all. Help is therefore not asked for while earlier requests for it lie in its queue,
 * and what lies there holds no array any more once it has been copied.
 */
final class SharedCopy {

	/** A part: so much is copied while a device fetches the part before. */
	static final int BYTES_PER_PART = 64 << 10;

	/** Waking a thread takes as long as copying so much. */
	private static final int BYTES_PER_HELPER = 256 << 10;

	private static final int MOST_HELPERS = 7;

	/** Half of the cores are left to others. */
	private static final int HELPERS = Math.min(MOST_HELPERS,
			Math.min(ForkJoinPool.getCommonPoolParallelism(), Runtime.getRuntime().availableProcessors() / 2 - 1));

	/** A part takes microseconds, and a thread that is preempted milliseconds. */
	private static final Duration MOST_FOR_A_PART = Duration.ofSeconds(10);

	/** How often the caller looks for others before it leaves its core to them. */
	private static final int SPINS = 1000;

	/** Forgotten at the end: a helper that has not started keeps this object. */
	private volatile @Nullable IntConsumer copy;

	private final int parts;

	private final IntConsumer progress;

	private final AtomicInteger begun = new AtomicInteger();

	/**
	 * Which parts are copied: stored with release by who has copied, read with acquire by
	 * the caller, so all bytes are there when it goes on.
	 */
	private final AtomicIntegerArray copied;

	/** How many parts from the front are copied, as the caller has seen. */
	private int reached;

	/**
	 * Why a part could not be copied; whoever copies goes on with the next, so none is
	 * left.
	 */
	private volatile @Nullable Throwable failure;

	private SharedCopy(int parts, IntConsumer copy, IntConsumer progress) {
		this.parts = parts;
		this.copy = copy;
		this.progress = progress;
		this.copied = new AtomicIntegerArray(parts);
	}

	/**
	 * Whether other threads would help to copy an array. Asked before the copy is
	 * described, so that a small one allocates nothing.
	 * @param elements how many elements it has
	 * @param elementSize the bytes of each
	 * @return {@code false} if the caller had better copy it at once
	 */
	static boolean isWorthwhile(int elements, int elementSize) {
		return helpers((long) elements * elementSize) > 0;
	}

	/**
	 * Copies a large array with the help of other threads.
	 * @param elements how many elements it has
	 * @param elementSize the bytes of each
	 * @param copy copies some elements; called by several threads, for each element once
	 */
	static void run(int elements, int elementSize, Part copy) {
		run(elements, elementSize, copy, helpers((long) elements * elementSize), ForkJoinPool.commonPool());
	}

	/**
	 * Copies an array with the help of some threads.
	 * @param helpers how many threads are asked for help
	 * @param pool whose threads
	 * @throws IllegalStateException if a part could not be copied
	 */
	static void run(int elements, int elementSize, Part copy, int helpers, Executor pool) {
		int perPart = BYTES_PER_PART / elementSize;
		run((elements + perPart - 1) / perPart, (part) -> {
			int from = part * perPart;
			copy.copy(from, Math.min(perPart, elements - from));
		}, (copied) -> {
		}, helpers, pool);
	}

	/**
	 * Copies parts with the help of other threads.
	 * @param parts how many there are, of {@link #BYTES_PER_PART} at most
	 * @param copy copies the part of a number; called by several threads, once for each
	 * @param bytes of all parts together
	 * @param progress called by this thread with how many parts from the front are copied
	 * @throws IllegalStateException if a part could not be copied
	 */
	static void run(int parts, IntConsumer copy, long bytes, IntConsumer progress) {
		run(parts, copy, progress, helpers(bytes), ForkJoinPool.commonPool());
	}

	static void run(int parts, IntConsumer copy, IntConsumer progress, int helpers, Executor pool) {
		SharedCopy shared = new SharedCopy(parts, copy, progress);
		try {
			for (int i = 0; i < helpers; i++) {
				pool.execute(shared::help);
			}
		}
		finally {
			// Without helpers as well: one that has started uses the memory until it
			// ends.
			shared.copyAndAwait();
			shared.copy = null;
		}
		Throwable failure = shared.failure;
		if (failure != null) {
			throw new IllegalStateException("A part of an array could not be copied.", failure);
		}
	}

	private static int helpers(long bytes) {
		return helpers(bytes, ForkJoinPool.commonPool());
	}

	static int helpers(long bytes, ForkJoinPool pool) {
		long wanted = Math.min(HELPERS, bytes / BYTES_PER_HELPER - 1);
		return (wanted > 0 && !pool.hasQueuedSubmissions()) ? (int) wanted : 0;
	}

	private void help() {
		boolean more = true;
		while (more) {
			more = copyNext();
		}
	}

	private boolean copyNext() {
		IntConsumer copy = this.copy;
		int part = this.begun.getAndIncrement();
		if (part >= this.parts || copy == null) {
			return false;
		}
		try {
			copy.accept(part);
		}
		catch (RuntimeException | Error ex) {
			this.failure = ex;
		}
		this.copied.setRelease(part, 1);
		return true;
	}

	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	private void copyAndAwait() {
		while (copyNext()) {
			report();
		}
		long begin = System.nanoTime();
		for (int spins = 0; !report(); spins++) {
			if (spins < SPINS) {
				Thread.onSpinWait();
				continue;
			}
			if (System.nanoTime() - begin > MOST_FOR_A_PART.toNanos()) {
				throw new StalledCopyException(this.reached, this.parts, MOST_FOR_A_PART);
			}
			Thread.yield();
		}
	}

	/**
	 * Tells how far the copy has come from the front, and nothing behind a part that has
	 * failed.
	 * @return whether all parts have ended
	 */
	private boolean report() {
		int before = this.reached;
		while (this.reached < this.parts && this.copied.getAcquire(this.reached) != 0) {
			this.reached++;
		}
		if (this.reached > before && this.failure == null) {
			this.progress.accept(this.reached);
		}
		return this.reached == this.parts;
	}

	/**
	 * Copies some of the elements.
	 */
	@FunctionalInterface
	interface Part {

		/**
		 * Copies elements.
		 * @param from the first
		 * @param count how many
		 */
		void copy(int from, int count);

	}

}
