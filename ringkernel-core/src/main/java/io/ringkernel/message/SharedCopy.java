package io.ringkernel.message;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * A copy of an array that may be large enough to be worth more than one core. A core
 * alone moves 12 GB/s between the heap and memory that no cache holds, which for 8 MiB is
 * four times what the bus takes.
 * <p>
 * The caller copies part by part, and threads of the common pool take parts from the same
 * counter as soon as they are awake: a thread that comes late finds nothing left, so the
 * caller never waits for one to start.
 */
final class SharedCopy {

	/** Waking a thread takes as long as copying so much. */
	private static final int BYTES_PER_HELPER = 256 << 10;

	private static final int BYTES_PER_PART = 64 << 10;

	private static final int MOST_HELPERS = 7;

	/** Half of the cores are left to others. */
	private static final int HELPERS = Math.min(MOST_HELPERS,
			Math.min(ForkJoinPool.getCommonPoolParallelism(), Runtime.getRuntime().availableProcessors() / 2 - 1));

	private final Part copy;

	private final int elements;

	private final int elementsPerPart;

	private final int parts;

	private final AtomicInteger begun = new AtomicInteger();

	/**
	 * Counts what is copied: with release by who has copied, read with acquire by the
	 * caller, so all bytes are there when it goes on.
	 */
	private final AtomicInteger ended = new AtomicInteger();

	/**
	 * Why a part could not be copied; whoever copies goes on with the next, so none is
	 * left.
	 */
	private volatile @Nullable Throwable failure;

	private SharedCopy(int elements, int elementSize, Part copy) {
		this.elements = elements;
		this.elementsPerPart = BYTES_PER_PART / elementSize;
		this.parts = (elements + this.elementsPerPart - 1) / this.elementsPerPart;
		this.copy = copy;
	}

	/**
	 * Whether other threads would help to copy an array. Asked before the copy is
	 * described, so that a small one allocates nothing.
	 * @param elements how many elements it has
	 * @param elementSize the bytes of each
	 * @return {@code false} if the caller had better copy it at once
	 */
	static boolean isWorthwhile(int elements, int elementSize) {
		return helpers(elements, elementSize) > 0;
	}

	/**
	 * Copies a large array with the help of other threads.
	 * @param elements how many elements it has
	 * @param elementSize the bytes of each
	 * @param copy copies some elements; called by several threads, for each element once
	 */
	static void run(int elements, int elementSize, Part copy) {
		run(elements, elementSize, copy, helpers(elements, elementSize), ForkJoinPool.commonPool());
	}

	private static int helpers(int elements, int elementSize) {
		return Math.min(HELPERS, elements / (BYTES_PER_HELPER / elementSize) - 1);
	}

	/**
	 * Copies an array with the help of some threads.
	 * @param helpers how many threads are asked for help
	 * @param pool whose threads
	 * @throws IllegalStateException if a helper has failed
	 */
	static void run(int elements, int elementSize, Part copy, int helpers, Executor pool) {
		SharedCopy shared = new SharedCopy(elements, elementSize, copy);
		for (int i = 0; i < helpers; i++) {
			pool.execute(shared::copyParts);
		}
		shared.copyParts();
		shared.awaitOthers();
		Throwable failure = shared.failure;
		if (failure != null) {
			throw new IllegalStateException("A part of an array could not be copied.", failure);
		}
	}

	private void copyParts() {
		for (int part = this.begun.getAndIncrement(); part < this.parts; part = this.begun.getAndIncrement()) {
			int from = part * this.elementsPerPart;
			try {
				this.copy.copy(from, Math.min(this.elementsPerPart, this.elements - from));
			}
			catch (RuntimeException | Error ex) {
				this.failure = ex;
			}
			this.ended.incrementAndGet();
		}
	}

	/** Every part has been begun, and a part takes microseconds. */
	private void awaitOthers() {
		while (this.ended.get() < this.parts) {
			Thread.onSpinWait();
		}
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
