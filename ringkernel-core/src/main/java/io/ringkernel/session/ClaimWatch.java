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

	/** How many looks are made while a position may stay claimed. */
	private static final int LOOKS_PER_LIMIT = 4;

	private final SlotsInFlight inFlight;

	private final HostRequests requests;

	private final long limitNanos;

	private final LongConsumer report;

	private long suspect = NOTHING;

	private long since;

	private long looked = System.nanoTime();

	/**
	 * Creates the watch, which reports a position each time that it stays claimed for the
	 * limit.
	 */
	ClaimWatch(HostRing ring, Duration limit, LongConsumer report) {
		this.inFlight = ring.inFlight();
		this.requests = ring.requests();
		this.limitNanos = limit.toNanos();
		this.report = report;
	}

	/**
	 * Looks at the first position that is claimed and not published, whatever is in
	 * flight before it. A look meets each slot and allocates, so it is made a few times
	 * in the time that a position may stay claimed; a call in between costs a comparison.
	 */
	void look(long head, long now) {
		if (now - this.looked < this.limitNanos / LOOKS_PER_LIMIT) {
			return;
		}
		this.looked = now;
		long position = firstUnpublished(head);
		if (position == NOTHING || position != this.suspect) {
			this.suspect = position;
			this.since = now;
		}
		else if (now - this.since > this.limitNanos) {
			this.since = now;
			this.report.accept(position);
		}
	}

	/** Later ones lie behind it: one that stays claimed is the first sooner or later. */
	private long firstUnpublished(long head) {
		for (long position : this.inFlight.before(head)) {
			if (!this.requests.isPublished(position)) {
				return position;
			}
		}
		return NOTHING;
	}

}
