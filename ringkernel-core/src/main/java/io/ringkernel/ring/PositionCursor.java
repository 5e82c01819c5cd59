package io.ringkernel.ring;

import java.util.function.LongPredicate;

/**
 * Where somebody who looks at all positions that are not done has to begin. It moves up
 * as those at the front are done, so that a look is as long as there are such positions.
 * For one thread at a time.
 */
public final class PositionCursor {

	private final LongPredicate done;

	private final int slots;

	/** Positions before it are done. */
	private long tail;

	/**
	 * Begins with the first position.
	 * @param layout the layout of the ring
	 * @param startPosition the first position of the ring
	 * @param done whether a position before the head is done, which it then stays
	 */
	public PositionCursor(RingLayout layout, long startPosition, LongPredicate done) {
		this.done = done;
		this.slots = layout.slots();
		this.tail = startPosition;
	}

	/**
	 * A cursor over the requests in flight. It begins a lap before the head, where that
	 * is far ahead already: what is further behind is never met.
	 * @param ring the ring
	 * @param startPosition the first position of the ring
	 * @return a cursor for which a position is done once its slot has been given back
	 */
	public static PositionCursor inFlight(HostRing ring, long startPosition) {
		return new PositionCursor(ring.layout(), first(ring, startPosition), (position) -> !ring.isInFlight(position));
	}

	/**
	 * The first position that somebody who begins now has to look at.
	 * @param ring the ring
	 * @param startPosition the first position of the ring
	 * @return a position within a lap of the head
	 */
	public static long first(HostRing ring, long startPosition) {
		return Math.max(startPosition, ring.head() - ring.layout().slots());
	}

	/**
	 * The first position before a head that may not be done. From there to the head, each
	 * slot is met once at most: a position can be further behind than a lap, while those
	 * of its slot in later laps are passed over.
	 * @param head a head of the ring, not before the last one that was asked for
	 * @return a position; the head if there is none
	 */
	public long before(long head) {
		while (this.tail < head && this.done.test(this.tail)) {
			this.tail++;
		}
		return Math.max(this.tail, head - this.slots);
	}

}
