package io.ringkernel.ring.order;

import io.ringkernel.ring.HostRing;

/**
 * The requests of a ring that are published and not answered, as the host sees them: the
 * reason to launch a loop that has ended. For one thread at a time.
 * <p>
 * A position that is claimed and not yet published does not count: its producer rings the
 * doorbell after it has published the request.
 * <p>
 * What lies in a slot may be of an earlier lap than the position that is looked at: while
 * it is unanswered, the slot is passed over.
 *
 * @since 0.1.0
 */
public final class Backlog {

	private final HostRing ring;

	private final PositionCursor oldest;

	/**
	 * Creates the backlog of a ring.
	 * @param ring the ring
	 * @param startPosition the first position of the ring
	 */
	public Backlog(HostRing ring, long startPosition) {
		this.ring = ring;
		this.oldest = PositionCursor.inFlight(ring, startPosition);
	}

	/**
	 * Whether every request that was published before this call, in the order of the
	 * memory model, is answered. To decide on it whether to sleep, announce the sleep
	 * before with a full fence in between, and have publishers look for the announcement
	 * after theirs.
	 * @return whether there is nothing to be done
	 */
	public boolean isEmpty() {
		long head = this.ring.claims().head();
		for (long p = this.oldest.before(head); p < head; p++) {
			if (this.ring.requests().isUnanswered(this.ring.layout().slot(p))) {
				return false;
			}
		}
		return true;
	}

}
