package io.ringkernel.cuda.transport;

import java.util.BitSet;

import io.ringkernel.ring.LapTag;

/**
 * The requests that the device was sent: the tag of the latest in each slot, and whether
 * its response has been delivered.
 */
final class ForwardedRequests {

	private final int[] tags;

	private final BitSet unanswered;

	private int count;

	ForwardedRequests(int slots) {
		this.tags = new int[slots];
		this.unanswered = new BitSet(slots);
	}

	/**
	 * The tag of the request that was last sent in a slot; {@link LapTag#NONE} for none.
	 */
	int tag(int slot) {
		return this.tags[slot];
	}

	void sent(int slot, int tag) {
		this.tags[slot] = tag;
		if (!this.unanswered.get(slot)) {
			this.unanswered.set(slot);
			this.count++;
		}
	}

	void answered(int slot) {
		this.unanswered.clear(slot);
		this.count--;
	}

	boolean isUnanswered(int slot) {
		return this.unanswered.get(slot);
	}

	/**
	 * The next slot whose request is not answered, from a slot on; -1 if there is none.
	 */
	int nextUnanswered(int slot) {
		return this.unanswered.nextSetBit(slot);
	}

	int unanswered() {
		return this.count;
	}

}
