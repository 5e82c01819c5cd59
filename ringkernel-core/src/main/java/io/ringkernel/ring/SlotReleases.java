package io.ringkernel.ring;

import java.lang.invoke.VarHandle;

/**
 * Takes slots back from those who have read their responses, in any order, and wakes
 * producers that wait for one.
 *
 * @since 0.2.0
 */
public final class SlotReleases {

	private final SlotWords slots;

	private final ParkedProducers parked;

	SlotReleases(SlotWords slots, ParkedProducers parked) {
		this.slots = slots;
		this.parked = parked;
	}

	/**
	 * Gives the slot of an answered position back, and wakes a producer that waits for
	 * one.
	 * @param position the position
	 */
	public void release(long position) {
		free(position);
		signalFreed();
	}

	/**
	 * Gives the slot of an answered position back. Returns normally if, and only if, it
	 * has: nothing is called behind the store. {@link #signalFreed} then belongs behind
	 * it.
	 * @param position the position
	 */
	public void free(long position) {
		this.slots.release(position);
	}

	/**
	 * Wakes a producer that waits for a slot.
	 */
	public void signalFreed() {
		this.parked.signal();
	}

	/**
	 * Gives the slot of an answered position back, as {@link #free} does, one of several
	 * in a row: a store without a fence. A producer that is parked may find it 10 ms
	 * later, unless {@link #signalRunFreed} is called behind the run.
	 * @param position the position
	 */
	public void freeInRun(long position) {
		this.slots.releaseInRun(position);
	}

	/**
	 * Wakes a producer that waits for a slot, behind a run of {@link #freeInRun}. The
	 * fence stands between these stores and the look at the waiters, as
	 * {@link ParkedProducers} needs it.
	 */
	public void signalRunFreed() {
		VarHandle.fullFence();
		signalFreed();
	}

}
