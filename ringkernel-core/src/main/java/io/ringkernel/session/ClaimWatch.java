package io.ringkernel.session;

import java.time.Duration;
import java.util.function.LongConsumer;

import io.ringkernel.ring.HostRequests;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotsInFlight;

/**
 * Watches for a position that stays claimed: its thread has neither published a request
 * nor given the position up, so workers that come to it wait for ever. It may be inside
 * an accessor of its record, so no other thread can take the position from it; the kernel
 * fails and says so. Touched by the dispatcher alone.
 */
final class ClaimWatch {

	private static final long NOTHING = -1;

	private final SlotsInFlight inFlight;

	private final HostRequests requests;

	private final Duration limit;

	private final LongConsumer report;

	private long suspect = NOTHING;

	private long since;

	/**
	 * Creates the watch.
	 * @param ring the ring
	 * @param limit how long a position may stay claimed
	 * @param report what is told the position of one that does, at most once
	 */
	ClaimWatch(HostRing ring, Duration limit, LongConsumer report) {
		this.inFlight = ring.inFlight();
		this.requests = ring.requests();
		this.limit = limit;
		this.report = report;
	}

	/**
	 * Looks at the oldest position that is in flight.
	 */
	void look(long oldest, long head, long now) {
		if (oldest >= head || !isUnpublished(oldest)) {
			this.suspect = NOTHING;
		}
		else if (oldest != this.suspect) {
			this.suspect = oldest;
			this.since = now;
		}
		else if (now - this.since > this.limit.toNanos()) {
			this.since = now;
			this.report.accept(oldest);
		}
	}

	private boolean isUnpublished(long position) {
		return this.inFlight.isClaimed(position) && !this.requests.isPublished(position);
	}

}
