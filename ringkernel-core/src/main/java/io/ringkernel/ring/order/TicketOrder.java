package io.ringkernel.ring.order;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

import io.ringkernel.ring.HostRing;

/**
 * Which requests the workers of a loop may have begun, told from the ring alone: no
 * worker stores what it has begun, since a store for each request would cost the bus as
 * much as a response does.
 * <p>
 * <strong>How that is told.</strong> The workers are in groups, on a device its blocks.
 * Group <i>g</i> of <i>n</i> has the turns <i>g</i>, <i>g + n</i>, <i>g + 2n</i> and so
 * on, and its workers take them in this order, each when it is free. A worker holds one
 * turn at a time, until its request is answered. Each group has the same number of
 * workers, but the last one, which has those that remain. So if a request was begun, all
 * earlier turns of its group were taken, and those of them that are unanswered are held
 * by other workers of the group. There are fewer of them than the group has workers.
 * Conversely, a request that has as many unanswered turns of its group before it as the
 * group has workers was certainly not begun; nor was one that was not published when the
 * loop had ended.
 * <p>
 * <strong>A death triples that.</strong> A worker stores an answer without waiting until
 * it has arrived, and a store that is under way when the device goes is dropped: the
 * request was answered, and is found unanswered. A worker finds each request by a load
 * over the same bus, where no load overtakes a store. That load may leave before the
 * answer that the worker has stored just before, since no fence is between the two, but
 * not before an earlier one: so when a request is begun, all answers but the latest of
 * its worker have arrived. Each other worker of the group then accounts for three
 * unanswered turns: one that it has answered before it began the next, that next one,
 * answered as well, and the turn that it has taken behind them. The worker itself
 * accounts for one before the request that it has begun. So a request that was begun, or
 * was answered in vain, is among the oldest unanswered turns of its group, three for each
 * other worker and two more.
 *
 * @since 0.2.0
 */
public final class TicketOrder {

	private final ServingOrder order;

	private final int workers;

	private final int workersPerGroup;

	private final int groups;

	/**
	 * Creates the order in which the workers of a loop take requests.
	 * @param order the order in which the loop serves positions
	 * @param workers the workers of all groups; at least 1
	 * @param workersPerGroup the workers of each group but the last, which has what
	 * remains; at least 1
	 */
	public TicketOrder(ServingOrder order, int workers, int workersPerGroup) {
		this.order = order;
		this.workers = workers;
		this.workersPerGroup = workersPerGroup;
		this.groups = 1 + (workers - 1) / workersPerGroup;
	}

	/**
	 * {@return the positions of the requests that may be begun and unanswered while the
	 * loop runs, and its answers arrive, in ascending order}
	 * @param ring the ring that the loop serves
	 */
	public long[] handling(HostRing ring) {
		return oldest(ring, (workers) -> workers);
	}

	/**
	 * The requests that may have been begun and are unanswered after a death. To be
	 * called when the loop has ended: the sooner, the fewer are published by then that it
	 * has not seen.
	 * @param ring the ring that the loop has served
	 * @return their positions, in ascending order
	 */
	public long[] begun(HostRing ring) {
		return oldest(ring, (workers) -> 3 * (workers - 1) + 2);
	}

	/**
	 * The requests that may have been begun and are unanswered after a death, if answers
	 * lie on the device until a bridge has fetched them. A worker may then have answered
	 * any number of requests that are found unanswered, so all of them are told.
	 * @param ring the ring that the loop has served
	 * @return their positions, in ascending order
	 */
	public static long[] published(HostRing ring) {
		return Arrays.stream(ring.inFlight().before(ring.claims().head()))
			.filter((position) -> !ring.responses().isAnswered(position))
			.filter(ring.requests()::isPublished)
			.toArray();
	}

	/** The oldest unanswered turns of each group, as many as its workers account for. */
	private long[] oldest(HostRing ring, IntUnaryOperator turns) {
		int[] unanswered = new int[this.groups];
		return Arrays.stream(ring.inFlight().before(ring.claims().head()))
			.filter((position) -> !ring.responses().isAnswered(position))
			.filter((position) -> unanswered[group(position)]++ < turns.applyAsInt(workers(group(position))))
			.filter(ring.requests()::isPublished)
			.toArray();
	}

	private int workers(int group) {
		return Math.min(this.workersPerGroup, this.workers - group * this.workersPerGroup);
	}

	private int group(long position) {
		return (int) (this.order.turn(position) % this.groups);
	}

}
