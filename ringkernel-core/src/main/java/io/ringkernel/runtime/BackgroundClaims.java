package io.ringkernel.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.ringkernel.ring.HostRing;

/**
 * Claims positions for background requests: only while fewer requests are in flight than
 * there are workers. Normal requests know nothing of it. So that they are not slowed down
 * by those that yield to them either, nobody signals the latter: they look from time to
 * time.
 */
final class BackgroundClaims {

	/** About twenty round trips of a device. */
	private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	private final HostRing ring;

	private final SessionEnd end;

	private final int limit;

	/** One at a time looks and claims; else many would find the same worker free. */
	private final ReentrantLock claiming = new ReentrantLock();

	BackgroundClaims(HostRing ring, SessionEnd end, int workers) {
		this.ring = ring;
		this.end = end;
		this.limit = Math.min(workers, ring.layout().slots());
	}

	/**
	 * Claims a position, if a worker would be free for it.
	 * @return the position, or {@link HostRing#FULL}
	 */
	long tryClaim() {
		this.claiming.lock();
		try {
			if (this.ring.inFlight() >= this.limit) {
				return HostRing.FULL;
			}
			long position = this.ring.tryClaim();
			return (position != HostRing.FULL) ? position : this.ring.tryClaimAny();
		}
		finally {
			this.claiming.unlock();
		}
	}

	/**
	 * Claims a position, waiting until a deadline. A delivery thread goes on delivering
	 * meanwhile: those who hold the slots may be waiting for it.
	 * @return the position, or {@link HostRing#FULL}
	 */
	long claim(long deadline) throws InterruptedException {
		Delivery own = Delivery.ofCurrentThread();
		long position = tryClaim();
		while (position == HostRing.FULL && !Deadlines.hasPassed(deadline) && !this.end.isSet()) {
			if (own != null) {
				own.deliverAround();
			}
			LockSupport.parkNanos(this, LOOK_NANOS);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			position = tryClaim();
		}
		return position;
	}

}
