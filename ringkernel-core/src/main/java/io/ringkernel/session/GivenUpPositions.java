package io.ringkernel.session;

import io.ringkernel.backend.HandlerFailures;
import io.ringkernel.ring.HostRequests;
import io.ringkernel.ring.HostResponses;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.session.serving.ServingLoop;

/**
 * Withdraws the requests of positions that their owners have given up, and frees their
 * slots once they are answered. Touched by the dispatcher alone.
 */
final class GivenUpPositions {

	private final HostRequests requests;

	private final HostResponses responses;

	private final SlotClaims claims;

	private final ServingLoop loop;

	private final HandlerFailures failures;

	private final SlotWaiters waiters;

	/** By slot, whether the request that was given up is withdrawn. */
	private final boolean[] withdrawn;

	GivenUpPositions(HostRing ring, ServingLoop loop, SlotWaiters waiters) {
		this.requests = ring.requests();
		this.responses = ring.responses();
		this.claims = ring.claims();
		this.loop = loop;
		this.failures = loop.region().notes().failures();
		this.waiters = waiters;
		this.withdrawn = new boolean[ring.layout().slots()];
	}

	/** Sees to a position in whatever state it is; returns whether its slot is free. */
	boolean settle(int slot, long position) {
		if (!this.withdrawn[slot]) {
			if (this.requests.isPublished(position)) {
				this.requests.withdraw(position);
			}
			else {
				this.requests.retract(position);
			}
			// Whatever fails from here on is not repeated, so it keeps nobody waiting.
			this.withdrawn[slot] = true;
			this.loop.abandon(position);
			this.loop.doorbell();
		}
		boolean answered = this.responses.isAnswered(position);
		if (answered) {
			this.failures.take(slot);
			this.withdrawn[slot] = false;
			this.waiters.settled(slot);
			this.claims.release(position);
		}
		return answered;
	}

}
