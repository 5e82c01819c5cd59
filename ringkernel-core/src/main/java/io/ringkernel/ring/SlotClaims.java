package io.ringkernel.ring;

import java.lang.invoke.VarHandle;

/**
 * Hands free positions, and with them slots, to producers, and takes slots back from
 * threads that have read their responses, in any order.
 * <p>
 * Positions are claimed in order by one compare-and-set of the head, where the
 * {@linkplain SlotWords word} of the slot says that it is free. A producer that finds the
 * next slot busy goes to {@link ContendedClaims}.
 * <p>
 * A claim returns right after its compare-and-set. A thread that runs out of stack
 * therefore does not lose it.
 *
 * @since 0.2.0
 */
public final class SlotClaims {

	/** What a claim returns if there is no free slot for it. */
	public static final long NO_SLOT = -1;

	/** How many slots a producer looks at in a row. */
	static final int LOOK_AHEAD = 32;

	private final RingLayout layout;

	private final ClaimHead head;

	private final SlotWords slots;

	private final ParkedProducers parked;

	SlotClaims(RingLayout layout, ClaimHead head, SlotWords slots, ParkedProducers parked) {
		this.layout = layout;
		this.head = head;
		this.slots = slots;
		this.parked = parked;
	}

	/**
	 * Claims the next position, if its slot is free now and no producer in line is due.
	 * @return the position, or {@link #NO_SLOT}: other slots may be free all the same
	 */
	public long tryClaim() {
		return this.parked.isDue(this.head.get()) ? NO_SLOT : tryClaimNext();
	}

	long tryClaimNext() {
		while (true) {
			long position = this.head.get();
			if (position < this.head.freeUntil() || isFreeFrom(position)) {
				if (this.head.compareAndSet(position, position + 1)) {
					return position;
				}
			}
			else if (this.head.get() == position) {
				return NO_SLOT;
			}
		}
	}

	/**
	 * Whether the slot of a position is free; if so, looks at those behind it as well.
	 * The words of neighbouring slots share cache lines, which threads that release slots
	 * write. A producer that looks once for many positions takes these lines away less
	 * often. A slot that was seen free for a position stays so until the head has passed
	 * it. The bound is stored with release and loaded with acquire, which hands on what
	 * the look at the words has acquired.
	 */
	private boolean isFreeFrom(long position) {
		long end = position;
		while (end < position + LOOK_AHEAD && this.slots.isFree(end)) {
			end++;
		}
		if (end > position) {
			this.head.freeUntil(end);
		}
		return end > position;
	}

	/**
	 * {@return how many positions, from the next one on, have a free slot now; none while
	 * a producer in line is due}
	 * @param head the {@link #head}
	 * @param most where to stop counting
	 */
	public int countFree(long head, int most) {
		if (this.parked.isDue(head)) {
			return 0;
		}
		if (head + most <= this.head.freeUntil()) {
			return most;
		}
		int count = 0;
		while (count < most && this.slots.isFree(head + count)) {
			count++;
		}
		return count;
	}

	/**
	 * Claims positions in a row whose slots were seen to be free.
	 * @param head the first position
	 * @param count how many; not more than {@link #countFree} has found from there
	 * @return whether all of them are claimed; otherwise none is, because another thread
	 * was faster
	 */
	public boolean tryClaimRun(long head, int count) {
		return this.head.compareAndSet(head, head + count);
	}

	/**
	 * Goes on as many laps later. All slots are free. For one thread at a time, which
	 * alone claims: others that look meanwhile find the slots free for laps that the head
	 * has not reached yet.
	 */
	void passLaps(int laps) {
		long head = this.head.get();
		long next = head + ((long) laps << this.layout.slotsShift());
		for (int i = 0; i < this.layout.slots(); i++) {
			this.slots.release(next + i - this.layout.slots());
		}
		this.head.compareAndSet(head, next);
	}

	/**
	 * {@return the position that is claimed next}
	 */
	public long head() {
		return this.head.get();
	}

	/**
	 * Gives the slot of an answered position back, and wakes a waiting producer.
	 * @param position the position
	 */
	public void release(long position) {
		free(position);
		signalFreed();
	}

	/**
	 * Gives the slot of an answered position back. Returns normally if, and only if, it
	 * has: nothing is called behind the store. {@link #signalFreed} belongs behind it.
	 * @param position the position
	 */
	public void free(long position) {
		this.slots.release(position);
	}

	/** Wakes a producer that waits for a slot. */
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
