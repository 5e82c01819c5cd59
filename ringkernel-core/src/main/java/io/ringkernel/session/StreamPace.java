package io.ringkernel.session;

/**
 * Keeps the sender of a stream from running far ahead of a receiver that is at work.
 * <p>
 * A sender is a little faster than its receiver, so a stream would fill its ring: then
 * each response has left the cache by the time it is read, and the sender keeps looking
 * at the very words that the receiver writes, which costs both of them up to a third of
 * their rate. So a sender that is {@value #FAR_AHEAD} ahead pauses for some microseconds.
 * They are fewer than the receiver needs for what it has before it, so nobody waits for
 * it; and where the receiver takes nothing meanwhile, as where one thread sends first and
 * receives later, there is no pause.
 * <p>
 * The sender's alone.
 */
final class StreamPace {

	private static final int FAR_AHEAD = 256;

	/** A sender looks how far ahead it is once in so many requests. */
	private static final int INTERVAL = 64;

	/** How often it looks again during one pause. */
	private static final int LOOKS = 32;

	/** Between two looks: a third of a microsecond, at 40 ns a pause instruction. */
	private static final int SPINS_PER_LOOK = 8;

	private final PositionQueue positions;

	private final long farAhead;

	StreamPace(PositionQueue positions, int slots) {
		this.positions = positions;
		this.farAhead = Math.min(FAR_AHEAD, slots / 2);
	}

	/**
	 * Called behind each request, or run of requests, with the counts before and with
	 * them.
	 */
	void sent(long before, long with) {
		if (before / INTERVAL != with / INTERVAL) {
			look();
		}
	}

	private void look() {
		boolean isReceiving = this.positions.lookAtTaken() > 0;
		for (int looks = 0; isReceiving && this.positions.untaken() > this.farAhead && looks < LOOKS; looks++) {
			for (int i = 0; i < SPINS_PER_LOOK; i++) {
				Thread.onSpinWait();
			}
			this.positions.lookAtTaken();
		}
	}

}
