package io.ringkernel.cuda.host;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.ring.RingMirror;

/**
 * A loop in the host, with what it takes for the host's half of its ring. No producer
 * rings a bell across the socket: a thread looks at the ring, and rings if it finds a
 * request. A kernel that polls needs no bell, and is looked at now and then, since what
 * supervises it wants to know whether it leaves requests lying.
 */
final class HostedLoop implements Runnable {

	private static final long MIN_REST_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

	private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long REST_BESIDE_POLLING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final DeviceLoop loop;

	private final KernelRegion region;

	private final RingMirror mirror;

	private final boolean polls;

	private volatile boolean closed;

	/**
	 * Creates it.
	 * @param polls whether the loop finds requests without a bell
	 */
	HostedLoop(DeviceLoop loop, KernelRegion region, RingMirror mirror, boolean polls) {
		this.loop = loop;
		this.region = region;
		this.mirror = mirror;
		this.polls = polls;
	}

	DeviceLoop loop() {
		return this.loop;
	}

	KernelRegion region() {
		return this.region;
	}

	RingMirror mirror() {
		return this.mirror;
	}

	void close() {
		this.closed = true;
		this.loop.close();
	}

	@Override
	public void run() {
		long rest = MIN_REST_NANOS;
		while (!this.closed) {
			boolean found;
			// The mirror goes over from a loop to the next.
			synchronized (this.mirror) {
				found = this.mirror.look();
			}
			if (found) {
				this.loop.doorbell();
				rest = MIN_REST_NANOS;
			}
			else {
				rest = Math.min(2 * rest, MAX_REST_NANOS);
				if (rest == MAX_REST_NANOS) {
					this.loop.nudge();
				}
			}
			LockSupport.parkNanos(this, this.polls ? REST_BESIDE_POLLING_NANOS : rest);
		}
	}

}
