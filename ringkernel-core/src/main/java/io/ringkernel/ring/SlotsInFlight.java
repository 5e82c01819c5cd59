package io.ringkernel.ring;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells which positions are in flight: claimed, and their slots not given back. It only
 * loads; producers and those who release slots go on meanwhile.
 *
 * @since 0.2.0
 */
public final class SlotsInFlight {

	/** The shortest rest between two looks at whether the ring is idle. */
	private static final long MIN_IDLE_REST_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long MAX_IDLE_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final RingLayout layout;

	private final ClaimHead head;

	private final SlotWords slots;

	private final SlotPassing passing;

	SlotsInFlight(RingLayout layout, ClaimHead head, SlotWords slots, SlotPassing passing) {
		this.layout = layout;
		this.head = head;
		this.slots = slots;
		this.passing = passing;
	}

	/**
	 * {@return whether a position may still be in flight, as a void one is said to be
	 * while its slot is held by an earlier lap}
	 * @param position a position before the {@linkplain SlotClaims#head head}
	 */
	public boolean contains(long position) {
		return position < this.head.get() && this.slots.isHeld(position);
	}

	/**
	 * The slots in flight, at some moment during the call.
	 * @return a count from 0 to the number of slots
	 */
	public int count() {
		int count = 0;
		for (int slot = 0; slot < this.layout.slots(); slot++) {
			int word = this.slots.get(slot);
			long position = this.head.get();
			if (SlotWords.isPassedOver(word) || this.slots.position(slot, word, position) < position) {
				count++;
			}
		}
		return count;
	}

	/**
	 * About how many positions are in flight, by a few loads. Requests are answered about
	 * in their order, so those in flight are the ones right behind the head. This looks
	 * 1, 2, 4, … positions behind it until one has given its slot back. An older position
	 * that still holds its slot is not seen.
	 * @return 0, or a power of two up to the number of slots
	 */
	public int load() {
		long position = this.head.get();
		int load = 0;
		for (int behind = 1; behind <= this.layout.slots() && this.slots.isHeld(position - behind); behind *= 2) {
			load = behind;
		}
		return load;
	}

	/**
	 * The positions before a head that hold their slots: claimed and not given back, each
	 * at some moment during the call. A position that a kernel has found void before the
	 * call is not among them. Until the word of its slot tells so, it is being passed
	 * over: that is looked at first, so a position that is not any more has its word.
	 * @param head a {@linkplain SlotClaims#head head} of the ring
	 * @return the positions, in ascending order
	 */
	public long[] before(long head) {
		long passing = this.passing.passing();
		long[] positions = new long[this.layout.slots()];
		int count = 0;
		for (int slot = 0; slot < positions.length; slot++) {
			long position = this.slots.position(slot, this.slots.holder(slot), head);
			if (position < head && position != passing) {
				positions[count++] = position;
			}
		}
		Arrays.sort(positions, 0, count);
		return Arrays.copyOf(positions, count);
	}

	/**
	 * Waits until nothing is in flight.
	 * @param deadline the {@link System#nanoTime} to give up at
	 * @return whether that came to pass
	 * @throws InterruptedException if the thread was interrupted
	 */
	public boolean awaitNone(long deadline) throws InterruptedException {
		long rest = MIN_IDLE_REST_NANOS;
		while (count() > 0) {
			long remaining = deadline - System.nanoTime();
			if (remaining <= 0) {
				return false;
			}
			LockSupport.parkNanos(this, Math.min(rest, remaining));
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			rest = Math.min(2 * rest, MAX_IDLE_REST_NANOS);
		}
		return true;
	}

}
