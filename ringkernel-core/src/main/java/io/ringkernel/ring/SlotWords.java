package io.ringkernel.ring;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Of each slot, in which lap of the ring it can be claimed next. Two words tell, each
 * with one kind of writer:
 * <ul>
 * <li><em>released</em>: the lap after the latest that was given back, which at first is
 * that of the start. The thread that owns a position writes it, so no two threads write
 * it at once, and a store is enough;</li>
 * <li><em>passed</em>: the laps that were passed over while an earlier one held the slot,
 * as one range. The thread that passes over slots writes it.</li>
 * </ul>
 * The lap before the range holds the slot until {@code released} is where the range
 * begins; from then on, the lap after the range is next. A range that {@code released}
 * has left behind tells nothing any more.
 * <p>
 * <strong>Memory ordering.</strong> {@code released} is stored with release, and the
 * claimer's load pairs with it: what the last owner did to the slot is visible to the
 * next. The words are read one after the other, so a reader may find an old one beside a
 * new one. It then takes the slot for busy, or for free for a lap that the head has
 * passed, and the compare-and-set of the head refuses that one.
 * <p>
 * Words of 32 bits for what every message writes, since sixteen of them share a cache
 * line, and each line goes from those who release to those who claim and back once per
 * lap. Laps wrap, and are compared by their distance: {@link #forget} keeps it small.
 * <p>
 * For others the two are one word: {@code lap << 1 | 1} for a slot that is free for that
 * lap, or held by it once the head has passed it; {@code lap << 1} for one that is held
 * by an earlier lap, while those in between have been passed over.
 */
final class SlotWords {

	private final RingLayout layout;

	private final AtomicIntegerArray released;

	/** By slot, the first lap of the range, and above it the lap after the last. */
	private final AtomicLongArray passed;

	SlotWords(RingLayout layout, long startPosition) {
		this.layout = layout;
		this.released = new AtomicIntegerArray(layout.slots());
		this.passed = new AtomicLongArray(layout.slots());
		for (int i = 0; i < layout.slots(); i++) {
			long position = startPosition + i;
			this.released.set(layout.slot(position), lap(position));
		}
	}

	/**
	 * Has a position hold its slot that is before the first one of this ring. The laps up
	 * to the position that is claimed next were passed over. For one thread, before any
	 * other uses the slot.
	 */
	void hold(long position, long next) {
		int slot = this.layout.slot(position);
		this.released.set(slot, lap(position));
		this.passed.set(slot, range(lap(position) + 1, lap(next)));
	}

	/** Whether a slot is free for a position, as it still is while that is in flight. */
	boolean isFree(long position) {
		return get(this.layout.slot(position)) == free(position);
	}

	/**
	 * Whether the slot of a position that was claimed is not given back yet: by it, or,
	 * where it was passed over or is just about to be, by an earlier one.
	 */
	boolean isHeld(long position) {
		int word = get(this.layout.slot(position));
		return isPassedOver(word) || !isBeyond(word, position);
	}

	static boolean isPassedOver(int word) {
		return (word & 1) == 0;
	}

	/**
	 * Gives the slot of a position to the next lap that was not passed over. What the
	 * caller loads next is loaded behind that.
	 */
	void release(long position) {
		this.released.set(this.layout.slot(position), lap(position) + 1);
	}

	/**
	 * Gives the slot of a position back as {@link #release} does, but lets later loads of
	 * the caller go ahead: the store waits for no cache line.
	 */
	void releaseInRun(long position) {
		this.released.setRelease(this.layout.slot(position), lap(position) + 1);
	}

	/**
	 * Has the slot of a position wait for the lap after it. For one thread at a time.
	 * Returns whether the slot has been released meanwhile, and is free for that lap.
	 */
	boolean passOver(long position) {
		int slot = this.layout.slot(position);
		int lap = lap(position);
		long range;
		long extended;
		do {
			range = this.passed.get(slot);
			extended = range((end(range) == lap) ? first(range) : lap, lap + 1);
		}
		while (!this.passed.compareAndSet(slot, range, extended));
		return this.released.get(slot) == first(extended);
	}

	/** Whether a position was released or passed over. */
	boolean isPast(long position) {
		return isBeyond(get(this.layout.slot(position)), position);
	}

	private boolean isBeyond(int word, long position) {
		return ((word >>> 1) - lap(position)) << 1 > 0;
	}

	/**
	 * Forgets a range that ended before a position, which holds the slot. Called at least
	 * once in 2<sup>30</sup> laps, so that no range is taken for new when laps have
	 * wrapped.
	 */
	void forget(long position) {
		int slot = this.layout.slot(position);
		long range = this.passed.get(slot);
		if (end(range) - lap(position) < 0) {
			// If this fails, a lap was passed over meanwhile, and the range is not old.
			this.passed.compareAndSet(slot, range, 0);
		}
	}

	/** The laps that were passed over last, as the word of {@link SkippedLaps}. */
	long skipped(int slot) {
		long range = this.passed.get(slot);
		return (first(range) == end(range)) ? 0 : range(tag(first(range)), tag(end(range) - 1));
	}

	private static int tag(int lap) {
		return lap << 1 | 1;
	}

	int get(int slot) {
		int next = this.released.get(slot);
		return word(next, this.passed.get(slot));
	}

	/**
	 * The lap that holds a slot or, if none does, is to claim it next, as a word. The
	 * laps that were passed over follow the one that holds the slot without a gap. A
	 * range that is read behind {@code released} and lies beyond it was begun for a lap
	 * that has held the slot since.
	 */
	int holder(int slot) {
		int next = this.released.get(slot);
		long range = this.passed.get(slot);
		int word = word(next, range);
		return isPassedOver(word) ? (first(range) - 1) << 1 | 1 : word;
	}

	private static int word(int next, long range) {
		int first = first(range);
		int end = end(range);
		if (first == end || next - first > 0) {
			return next << 1 | 1;
		}
		return end << 1 | ((next == first) ? 1 : 0);
	}

	/** The position that a word speaks of: the nearest one to the head. */
	long position(int slot, int word, long head) {
		long headLap = head >>> this.layout.slotsShift();
		int laps = ((word >>> 1) - (int) headLap) << 1 >> 1;
		return ((headLap + laps) << this.layout.slotsShift()) + slot;
	}

	private int lap(long position) {
		return (int) (position >>> this.layout.slotsShift());
	}

	private int free(long position) {
		return lap(position) << 1 | 1;
	}

	private static long range(int first, int end) {
		return (first & 0xffffffffL) | (long) end << Integer.SIZE;
	}

	private static int first(long range) {
		return (int) range;
	}

	private static int end(long range) {
		return (int) (range >>> Integer.SIZE);
	}

}
