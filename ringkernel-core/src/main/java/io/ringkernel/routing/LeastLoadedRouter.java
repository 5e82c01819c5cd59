package io.ringkernel.routing;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.ringkernel.KernelState;
import io.ringkernel.exception.KernelNotActiveException;

/**
 * Sends a request to the less loaded of two replicas that it draws at random: the power
 * of two choices (Mitzenmacher, 2001). Two looks, however many replicas there are, bring
 * the load of the fullest close to that of a scan over all. And callers that choose at
 * the same moment do not all choose the same replica, as they would after a scan.
 * <p>
 * The load is read off the rings. There is no counter that threads share, none that a
 * timeout or a failure could leave wrong, and requests count that came another way.
 */
final class LeastLoadedRouter<I extends Record> implements Router<I> {

	private static final int UNAVAILABLE = Integer.MAX_VALUE;

	private final Replica<?, ?>[] replicas;

	LeastLoadedRouter(List<? extends Replica<?, ?>> replicas) {
		this.replicas = replicas.toArray(new Replica<?, ?>[0]);
	}

	@Override
	public int replicaFor(I request) {
		return choose();
	}

	@Override
	public int replicaForStream() {
		return choose();
	}

	private int choose() {
		int count = this.replicas.length;
		if (count == 1) {
			return 0;
		}
		// One draw for an ordered pair of different replicas.
		int pair = ThreadLocalRandom.current().nextInt(count * (count - 1));
		int first = pair % count;
		int second = first + 1 + pair / count;
		if (second >= count) {
			second -= count;
		}
		int load = loadOf(first);
		// The second look would be for nothing: there is no lower load.
		int chosen = (load == 0 || load <= loadOf(second)) ? first : second;
		return (load == UNAVAILABLE && chosen == first) ? anyActiveFrom(first) : chosen;
	}

	private int loadOf(int number) {
		Replica<?, ?> replica = this.replicas[number];
		return (replica.state() == KernelState.ACTIVE) ? replica.load() : UNAVAILABLE;
	}

	/** For the rare case that two replicas in a row take no requests. */
	private int anyActiveFrom(int start) {
		for (int i = 0; i < this.replicas.length; i++) {
			int number = (start + i) % this.replicas.length;
			if (this.replicas[number].state() == KernelState.ACTIVE) {
				return number;
			}
		}
		return start;
	}

	@Override
	public int attempts() {
		return this.replicas.length;
	}

	@Override
	public KernelNotActiveException refusal(int replica, KernelNotActiveException why) {
		return why;
	}

}
