package io.ringkernel.session;

import io.ringkernel.backend.RequestTimestamps;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.RequestTimingListener;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.SlotClaims;

/**
 * Times requests of one session: reads the clock and tells
 * {@link io.ringkernel.observe.KernelTimings}, which keep the times.
 */
final class SessionTimings {

	private final KernelTimings timings;

	private final SlotClaims claims;

	private final RingLayout layout;

	private final RequestTimestamps clock;

	SessionTimings(KernelTimings timings, HostRing ring, RequestTimestamps clock) {
		this.timings = timings;
		this.claims = ring.claims();
		this.layout = ring.layout();
		this.clock = clock;
	}

	/**
	 * Reads the clock if the next request is to be timed. Another thread may claim the
	 * position that is looked at here: which requests are timed need not be exact, only
	 * independent of how long they take.
	 */
	long begin() {
		return this.timings.isDue(this.claims.head()) ? RequestTimestamps.now() : RequestTimestamps.NONE;
	}

	/** Reads the clock if one of the next requests is to be timed. */
	long begin(long first, int count) {
		return this.timings.isAnyDue(first, count) ? RequestTimestamps.now() : RequestTimestamps.NONE;
	}

	/** Marks a position of a run, if its request is to be timed. */
	void claimedInRun(long position, long begun) {
		boolean isTimed = begun != RequestTimestamps.NONE && this.timings.isDue(position);
		claimed(position, isTimed ? begun : RequestTimestamps.NONE);
	}

	void claimed(long position, long begun) {
		this.clock.mark(this.layout.slot(position), begun);
	}

	void answered(long position) {
		int slot = this.layout.slot(position);
		if (this.clock.isTimed(slot)) {
			record(slot, RequestTimestamps.now());
		}
	}

	private void record(int slot, long now) {
		long sent = this.clock.sent(slot);
		long begun = this.clock.begun(slot);
		long ended = this.clock.ended(slot);
		if (begun == RequestTimestamps.NONE || ended == RequestTimestamps.NONE) {
			this.timings.record(now - sent, RequestTimingListener.UNKNOWN, RequestTimingListener.UNKNOWN,
					RequestTimingListener.UNKNOWN);
		}
		else {
			this.timings.record(now - sent, begun - sent, ended - begun, now - ended);
		}
	}

}
