package io.ringkernel.ring;

/**
 * Where somebody who looks at all requests in flight has to begin. It moves up as those
 * at the front are done, so that a look is as long as there are requests. For one thread
 * at a time.
 */
public final class OldestInFlight {

	private final HostRing ring;

	/** Positions before it are done. */
	private long tail;

	/**
	 * Begins with the first position.
	 * @param ring the ring
	 * @param startPosition the first position of the ring
	 */
	public OldestInFlight(HostRing ring, long startPosition) {
		this.ring = ring;
		this.tail = startPosition;
	}

	/**
	 * The first position before a head that may be in flight. From there to the head,
	 * each slot is met once at most.
	 * @param head a head of the ring, not before the last one that was asked for
	 * @return a position; the head if there is none
	 */
	public long before(long head) {
		while (this.tail < head && !this.ring.isInFlight(this.tail)) {
			this.tail++;
		}
		return Math.max(this.tail, head - this.ring.layout().slots());
	}

}
