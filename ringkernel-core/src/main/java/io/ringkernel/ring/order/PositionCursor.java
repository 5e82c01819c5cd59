package io.ringkernel.ring.order;

import java.util.function.LongPredicate;

import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;

/**
 * Where a look at all positions that are not done begins. It moves up as those at the
 * front are done, so that a look is as long as there are such positions. For one thread
 * at a time.
 *
 * @since 0.1.0
 */
public final class PositionCursor {

	private final LongPredicate done;

	private final int slots;

	private final boolean isHeldBySlot;

	/** Positions before it are done. */
	private long tail;

	/**
	 * Begins with the first position.
	 * @param layout the layout of the ring
	 * @param startPosition the first position of the ring
	 * @param done whether a position before the head is done, which it then stays
	 */
	public PositionCursor(RingLayout layout, long startPosition, LongPredicate done) {
		this(layout, startPosition, done, false);
	}

	/**
	 * Creates a cursor.
	 * @param isHeldBySlot whether a position that was passed over is not done while the
	 * earlier one is not that holds its slot. Each position that is not done then has one
	 * in the last lap before the head, so a look need not begin further behind
	 */
	private PositionCursor(RingLayout layout, long startPosition, LongPredicate done, boolean isHeldBySlot) {
		this.isHeldBySlot = isHeldBySlot;
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
		return new PositionCursor(ring.layout(), first(ring, startPosition),
				(position) -> !ring.inFlight().contains(position), true);
	}

	/**
	 * {@return the first position at which a thread that begins now has to look}
	 * @param ring the ring
	 * @param startPosition the first position of the ring
	 */
	public static long first(HostRing ring, long startPosition) {
		return Math.max(startPosition, ring.claims().head() - ring.layout().slots());
	}

	/**
	 * The first position before a head that may not be done. From there to the head, each
	 * slot is met once at most: a position can be further behind than a lap, while those
	 * of its slot in later laps are passed over.
	 * <p>
	 * A look at requests in flight is never longer than a lap, however far the head has
	 * moved since the one before.
	 * @param head a head of the ring, not before the last one that was asked for
	 * @return a position; the head if there is none
	 */
	public long before(long head) {
		long lap = head - this.slots;
		if (this.isHeldBySlot) {
			this.tail = Math.max(this.tail, lap);
		}
		while (this.tail < head && this.done.test(this.tail)) {
			this.tail++;
		}
		return Math.max(this.tail, lap);
	}

}
