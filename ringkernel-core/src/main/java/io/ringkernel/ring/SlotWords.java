package io.ringkernel.ring;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Of each slot, in which lap of the ring it can be claimed next, as one word:
 * <ul>
 * <li>{@code lap << 1 | 1}: free for the position of that lap. The word stays as it is
 * while that position is in flight: the head has then passed it, and the next lap waits
 * for another value;</li>
 * <li>{@code lap << 1}: still in flight, and the laps before that one have been passed
 * over.</li>
 * </ul>
 * Releasing a slot is one compare-and-set of its word. The claimer's volatile read of the
 * word pairs with it: what the last owner did to the slot is visible to the next.
 * <p>
 * Words of 32 bits, since sixteen of them share a cache line, and each line goes from
 * those who release to those who claim and back once per lap. Of a lap they hold 31 bits,
 * and are compared for being equal alone: a slot would have to be held for two billion
 * laps for one to be taken for another.
 */
final class SlotWords {

	private final RingLayout layout;

	private final AtomicIntegerArray words;

	/**
	 * Creates the words of a ring whose slots are all free.
	 */
	SlotWords(RingLayout layout, long startPosition) {
		this.layout = layout;
		this.words = new AtomicIntegerArray(layout.slots());
		for (int i = 0; i < layout.slots(); i++) {
			long position = startPosition + i;
			this.words.set(layout.slot(position), free(position));
		}
	}

	/**
	 * Whether the slot of a position is free for it; it is so as well while the position
	 * itself is in flight.
	 */
	boolean isFree(long position) {
		return this.words.get(this.layout.slot(position)) == free(position);
	}

	/**
	 * Whether the slot of a position that was claimed is not given back yet: by it, or,
	 * where it was passed over or is just about to be, by an earlier one.
	 */
	boolean isHeld(long position) {
		int word = this.words.get(this.layout.slot(position));
		return isPassedOver(word) || !isBeyond(word, position);
	}

	/**
	 * Whether a slot is held by a lap before the one that its word states.
	 */
	static boolean isPassedOver(int word) {
		return (word & 1) == 0;
	}

	/**
	 * Gives the slot of a position to the next lap that was not passed over.
	 */
	void release(long position) {
		int slot = this.layout.slot(position);
		int word;
		do {
			word = this.words.get(slot);
		}
		while (!this.words.compareAndSet(slot, word,
				(word == free(position)) ? free(position + this.layout.slots()) : (word | 1)));
	}

	/**
	 * Has the slot of a position wait for the lap after it.
	 * @return whether the slot has been released meanwhile, and is free for that lap
	 */
	boolean passOver(long position) {
		int slot = this.layout.slot(position);
		int next = free(position + this.layout.slots());
		int word;
		do {
			word = this.words.get(slot);
		}
		while (!this.words.compareAndSet(slot, word, (word == free(position)) ? next : next & ~1));
		return word == free(position);
	}

	/**
	 * Whether the slot of a position waits for a lap after that of the position: the
	 * position was released or passed over.
	 */
	boolean isPast(long position) {
		return isBeyond(this.words.get(this.layout.slot(position)), position);
	}

	private boolean isBeyond(int word, long position) {
		return ((word >>> 1) - (free(position) >>> 1)) << 1 > 0;
	}

	int get(int slot) {
		return this.words.get(slot);
	}

	/**
	 * The position that a word speaks of: the one of its lap that is nearest to the head.
	 */
	long position(int slot, int word, long head) {
		long headLap = head >>> this.layout.slotsShift();
		int laps = ((word >>> 1) - (int) headLap) << 1 >> 1;
		return ((headLap + laps) << this.layout.slotsShift()) + slot;
	}

	private int free(long position) {
		return (int) (position >>> this.layout.slotsShift()) << 1 | 1;
	}

}
