package io.ringkernel.ring;

/**
 * The positions that a loop serves, in their order: those in flight when it begins, the
 * oldest first, and then every position from the head on. A fresh ring has nothing in
 * flight.
 * <p>
 * A position in flight can be laps behind the head. While it is unanswered, its slot is
 * passed over in each lap.
 * <p>
 * <strong>Nothing is missed.</strong> The head is read before the slots. A position
 * before the head that is not in flight when its slot is looked at has been given back,
 * so it is done, or was passed over, so there is no request. It is not in flight again,
 * since positions only grow.
 *
 * @since 0.2.0
 */
public final class ServingOrder {

	private final long head;

	private final long[] inFlight;

	/**
	 * Takes the order of a ring that no loop serves.
	 * @param ring the ring, which may be in use by any number of threads of the host
	 */
	public ServingOrder(HostRing ring) {
		this.head = ring.head();
		this.inFlight = ring.inFlightBefore(this.head);
	}

	/**
	 * The position that is served at some turn.
	 * @param turn the turn, counted from 0
	 * @return the position
	 */
	public long position(long turn) {
		return (turn < this.inFlight.length) ? this.inFlight[(int) turn] : this.head + (turn - this.inFlight.length);
	}

	/**
	 * Whether a loop before this one may have answered the position of a turn.
	 * @param turn the turn
	 * @return {@code false} for every position from the head on
	 */
	public boolean mayBeAnswered(long turn) {
		return turn < this.inFlight.length;
	}

}
