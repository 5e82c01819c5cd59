package io.ringkernel.message.buffer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy that may be large enough to be worth more than one core. A core alone moves 12
 * GB/s between the heap and memory that no cache holds, which for 8 MiB is four times
 * what the bus takes.
 * <p>
 * The caller copies part by part, and {@linkplain CopyHelpers other threads} take parts
 * from the same counter as soon as they are awake: a thread that comes late finds nothing
 * left, so the caller never waits for one to start.
 * <p>
 * <strong>Nothing is written behind the end of a copy.</strong> A thread that has begun a
 * part writes to the memory until it ends, and nothing can take the part back. So the
 * caller waits for it without a limit, and holds the memory meanwhile: a slot that it
 * gave up would get the late bytes under the tag of its next request.
 *
 * @since 0.2.0
 */
public final class SharedCopy {

	private static final Logger logger = LoggerFactory.getLogger(SharedCopy.class);

	/** A part: so much is copied while a device fetches the part before. */
	static final int BYTES_PER_PART = 64 << 10;

	/** That of a copy of a few such parts, so that several threads have one each. */
	static final int LEAST_BYTES_PER_PART = 16 << 10;

	/** How often the caller looks for others before it leaves its core to them. */
	private static final int SPINS = 1000;

	/** How long the caller rests between looks for a thread that is late. */
	private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

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

	/** Why a part could not be copied, or told of. The copy goes on with the next. */
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
	public static boolean isWorthwhile(int elements, int elementSize) {
		return CopyHelpers.COMMON.wanted((long) elements * elementSize) > 0;
	}

	/**
	 * Copies a large array with the help of other threads.
	 * @param elements how many elements it has
	 * @param elementSize the bytes of each
	 * @param copy copies some elements; called by several threads, for each element once
	 * @throws IllegalStateException if a part could not be copied
	 */
	public static void run(int elements, int elementSize, Part copy) {
		CopyHelpers helpers = CopyHelpers.COMMON;
		run(elements, elementSize, copy, helpers.wanted((long) elements * elementSize), helpers);
	}

	static void run(int elements, int elementSize, Part copy, int wanted, CopyHelpers helpers) {
		int perPart = bytesPerPart((long) elements * elementSize) / elementSize;
		run((elements + perPart - 1) / perPart, (part) -> {
			int from = part * perPart;
			copy.copy(from, Math.min(perPart, elements - from));
		}, (copied) -> {
		}, wanted, helpers);
	}

	static int bytesPerPart(long bytes) {
		return (bytes < 4 * BYTES_PER_PART) ? LEAST_BYTES_PER_PART : BYTES_PER_PART;
	}

	/**
	 * Copies parts of {@link #BYTES_PER_PART} at most with the help of other threads.
	 * @param copy copies the part of a number; called by several threads, once for each
	 * @param bytes of all parts together
	 * @param progress called by this thread with how many parts from the front are copied
	 * @throws IllegalStateException if a part could not be copied
	 */
	static void run(int parts, IntConsumer copy, long bytes, IntConsumer progress) {
		CopyHelpers helpers = CopyHelpers.COMMON;
		run(parts, copy, progress, helpers.wanted(bytes), helpers);
	}

	static void run(int parts, IntConsumer copy, IntConsumer progress, int wanted, CopyHelpers helpers) {
		SharedCopy shared = new SharedCopy(parts, copy, progress);
		try {
			if (wanted > 0) {
				helpers.offer(shared, wanted);
			}
		}
		finally {
			// Whatever has failed: a helper that has begun uses the memory until it ends.
			shared.copyAndAwait(helpers);
			shared.copy = null;
			helpers.ended(shared);
		}
		Throwable failure = shared.failure;
		if (failure != null) {
			throw new IllegalStateException("A part of an array could not be copied.", failure);
		}
	}

	/**
	 * Copies parts as long as there are any; called by a helper. Returns whether there
	 * was one.
	 */
	boolean help() {
		boolean helped = false;
		while (copyNext()) {
			helped = true;
		}
		return helped;
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
	private void copyAndAwait(CopyHelpers helpers) {
		while (copyNext()) {
			report();
		}
		long begin = System.nanoTime();
		boolean late = false;
		for (int spins = 0; !report(); spins++) {
			if (spins < SPINS) {
				Thread.onSpinWait();
			}
			else if (late) {
				LockSupport.parkNanos(this, REST_NANOS);
			}
			else {
				Thread.yield();
				late = System.nanoTime() - begin > helpers.patience().toNanos();
				if (late) {
					tellOfDelay(helpers);
				}
			}
		}
	}

	private void tellOfDelay(CopyHelpers helpers) {
		logger.warn(
				"Part {} of {} of an array was begun and is not copied after {}: the threads of the common pool "
						+ "do not run, and the copy waits for them. Give the process more of a processor, or set "
						+ "java.util.concurrent.ForkJoinPool.common.parallelism to 0.",
				this.reached, this.parts, helpers.patience());
	}

	/**
	 * Tells how far the copy has come from the front, and nothing behind a part that has
	 * failed. Returns whether all parts have ended.
	 */
	private boolean report() {
		int before = this.reached;
		while (this.reached < this.parts && this.copied.getAcquire(this.reached) != 0) {
			this.reached++;
		}
		if (this.reached > before && this.failure == null) {
			try {
				this.progress.accept(this.reached);
			}
			catch (RuntimeException | Error ex) {
				// Others may be copying: the failure is told behind the last of them.
				this.failure = ex;
			}
		}
		return this.reached == this.parts;
	}

	/** Copies some of the elements. */
	@FunctionalInterface
	public interface Part {

		/**
		 * Copies elements.
		 * @param from the first
		 * @param count how many
		 */
		void copy(int from, int count);

	}

}
