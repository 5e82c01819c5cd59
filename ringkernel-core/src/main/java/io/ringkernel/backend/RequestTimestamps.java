package io.ringkernel.backend;

/**
 * When the requests that are timed were sent, begun and ended, by slot, in
 * {@link System#nanoTime} values.
 * <p>
 * The fields are plain, and ordered by the ring: the host marks a slot before it
 * publishes the request, and the loop reads the mark after it has seen that; the loop
 * stores its times before it answers, and the host reads them after it has seen the
 * answer. A mark is only written where it changes, so the line that it shares with others
 * stays in the caches of both sides while nothing is timed.
 *
 * @since 0.1.0
 */
public final class RequestTimestamps {

	/** What stands for no time. */
	public static final long NONE = 0;

	private final long[] sent;

	private final long[] begun;

	private final long[] ended;

	/**
	 * Creates the timestamps of a ring in which no request is timed.
	 * @param slots the slots of the ring
	 */
	public RequestTimestamps(int slots) {
		this.sent = new long[slots];
		this.begun = new long[slots];
		this.ended = new long[slots];
	}

	/**
	 * Reads the time.
	 * @return the time now, never {@link #NONE}
	 */
	public static long now() {
		long now = System.nanoTime();
		return (now != NONE) ? now : 1;
	}

	/**
	 * Marks a slot, before its claimer publishes the request.
	 * @param slot the slot
	 * @param time when the request was sent, or {@link #NONE} if it is not timed
	 */
	public void mark(int slot, long time) {
		if (this.sent[slot] != time) {
			this.sent[slot] = time;
		}
	}

	/**
	 * {@return whether the request of a slot is timed}
	 * @param slot the slot
	 */
	public boolean isTimed(int slot) {
		return this.sent[slot] != NONE;
	}

	/**
	 * Notes that a request is begun, if it is timed; called by the worker that begins it.
	 * @param slot its slot
	 */
	public void begin(int slot) {
		if (isTimed(slot)) {
			this.begun[slot] = now();
		}
	}

	/**
	 * Notes that a request, if it is timed, is about to be answered by this worker.
	 * @param slot its slot
	 */
	public void end(int slot) {
		if (isTimed(slot)) {
			this.ended[slot] = now();
		}
	}

	/**
	 * {@return when the request of a slot was sent, or {@link #NONE}}
	 * @param slot the slot
	 */
	public long sent(int slot) {
		return this.sent[slot];
	}

	/**
	 * {@return when the request was begun, or {@link #NONE} if the loop has not noted it}
	 * @param slot a slot whose request is timed and answered
	 */
	public long begun(int slot) {
		return noted(slot, this.begun[slot]);
	}

	/**
	 * {@return when the request was about to be answered, or {@link #NONE} likewise}
	 * @param slot a slot whose request is timed and answered
	 */
	public long ended(int slot) {
		return noted(slot, this.ended[slot]);
	}

	/** What is older than the request was noted for one before it. */
	private long noted(int slot, long time) {
		return (time != NONE && time - this.sent[slot] >= 0) ? time : NONE;
	}

}
