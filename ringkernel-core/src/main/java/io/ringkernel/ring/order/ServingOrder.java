package io.ringkernel.ring.order;

import java.util.Arrays;

import io.ringkernel.ring.HostRing;

/**
 * The positions that a loop serves, in their order: those that are unanswered when it
 * begins, the oldest first, and then every position from the head on. A fresh ring has
 * none that are unanswered.
 * <p>
 * An unanswered position can be laps behind the head. Until it is answered, its slot is
 * passed over in each lap.
 * <p>
 * <strong>Nothing is missed.</strong> The head is read before the slots. A position
 * before the head that is not in flight when its slot is looked at has been given back,
 * so it is done, or was passed over, so there is no request. It is not in flight again,
 * since positions only grow.
 * <p>
 * <strong>Nothing is answered twice.</strong> The loop before has ended, so no response
 * is stored while the order is taken: whoever takes it has seen that end, which comes
 * behind every store of that loop. A position whose response is there in whole is left
 * out, and stays answered; any other is nobody else's. What that loop had begun to store
 * of an answer is cleared, so that no part of it is taken for one of the next answer.
 * <p>
 * <strong>Nothing is skipped that is to come.</strong> The loop before may have stored
 * anything into the words of skipped laps by mistake. The host writes them anew, from
 * what it has noted itself.
 *
 * @since 0.2.0
 */
public final class ServingOrder {

	private final long head;

	private final long[] unanswered;

	private ServingOrder(long head, long[] unanswered) {
		this.head = head;
		this.unanswered = unanswered;
	}

	/**
	 * Takes over a ring that no loop serves.
	 * @param ring the ring, which may be in use by any number of threads of the host
	 * @return the order in which the next loop serves it
	 */
	public static ServingOrder of(HostRing ring) {
		ring.rewriteSkipped();
		long head = ring.claims().head();
		long[] unanswered = Arrays.stream(ring.inFlight().before(head))
			.filter((position) -> !ring.responses().isAnswered(position))
			.toArray();
		Arrays.stream(unanswered).forEach(ring.responses()::clear);
		return new ServingOrder(head, unanswered);
	}

	/**
	 * {@return the order that another process has taken}
	 * @param head the first position behind the unanswered ones
	 * @param unanswered the unanswered positions, in ascending order
	 */
	public static ServingOrder of(long head, long[] unanswered) {
		return new ServingOrder(head, unanswered.clone());
	}

	/**
	 * The position from which on every position is served.
	 * @return the head of the ring when the order was taken
	 */
	public long head() {
		return this.head;
	}

	/**
	 * The positions before the head that are served.
	 * @return the positions, in ascending order
	 */
	public long[] unanswered() {
		return this.unanswered.clone();
	}

	/**
	 * {@return the position that is served at some turn}
	 * @param turn the turn, counted from 0
	 */
	public long position(long turn) {
		int before = this.unanswered.length;
		return (turn < before) ? this.unanswered[(int) turn] : this.head + (turn - before);
	}

	/** The turn, from 0, at which a position of this order is served. */
	long turn(long position) {
		return (position < this.head) ? Math.max(0, Arrays.binarySearch(this.unanswered, position))
				: this.unanswered.length + (position - this.head);
	}

}
