package io.ringkernel.ring;

/**
 * The requests of a ring that were published and are not answered, as the host sees them:
 * what a device loop that is out would have to come back for. For one thread at a time.
 * <p>
 * A position that was claimed and is not yet published does not count: whoever publishes
 * it rings the doorbell afterwards.
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
		long head = this.ring.head();
		for (long p = this.oldest.before(head); p < head; p++) {
			if (this.ring.isPublished(p) && !this.ring.isAnswered(p)) {
				return false;
			}
		}
		return true;
	}

}
