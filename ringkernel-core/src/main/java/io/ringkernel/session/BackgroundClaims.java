package io.ringkernel.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.Turn;

/**
 * Claims positions for background requests: only while fewer requests are in flight than
 * there are workers. Normal requests know nothing of it, and signal nothing: background
 * requests look for a free worker from time to time.
 */
final class BackgroundClaims {

	/** About twenty round trips of a device. */
	private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	private final HostRing ring;

	private final SessionEnd end;

	private final int limit;

	/**
	 * Of the one thread that looks and claims; else many would find the same worker free.
	 */
	private final Turn claiming = new Turn();

	BackgroundClaims(HostRing ring, SessionEnd end, int workers) {
		this.ring = ring;
		this.end = end;
		this.limit = Math.min(workers, ring.layout().slots());
	}

	/**
	 * Claims a position, if a worker would be free for it.
	 * @return the position, or {@link HostRing#NO_SLOT}
	 */
	long tryClaim() {
		if (!this.claiming.tryTakeSoon()) {
			return HostRing.NO_SLOT;
		}
		long position = HostRing.NO_SLOT;
		try {
			if (this.ring.inFlight() < this.limit) {
				position = this.ring.tryClaimAny();
			}
		}
		finally {
			this.claiming.taken = Turn.FREE;
		}
		return position;
	}

	/**
	 * Claims a position, waiting until a deadline.
	 * @return the position, or {@link HostRing#NO_SLOT}
	 */
	long claim(long deadline) throws InterruptedException {
		long position = tryClaim();
		while (position == HostRing.NO_SLOT && !Deadlines.hasPassed(deadline) && !this.end.isSet()) {
			LockSupport.parkNanos(this, LOOK_NANOS);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			position = tryClaim();
		}
		return position;
	}

}
