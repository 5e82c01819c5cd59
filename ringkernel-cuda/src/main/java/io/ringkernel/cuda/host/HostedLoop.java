package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.ring.RingMirror;
import org.jspecify.annotations.Nullable;

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

	private final KernelSpec<?, ?> kernel;

	private final DeviceLoop loop;

	private final KernelRegion region;

	private final RingMirror mirror;

	private final boolean polls;

	private volatile boolean closed;

	/** Whether the loop may handle a request. */
	private boolean running;

	/** What the application reads and writes until the loop is started. */
	private @Nullable HostedState state;

	/**
	 * Creates it.
	 * @param kernel the kernel that the loop was loaded for
	 * @param polls whether the loop finds requests without a bell
	 */
	HostedLoop(KernelSpec<?, ?> kernel, DeviceLoop loop, KernelRegion region, RingMirror mirror, boolean polls) {
		this.kernel = kernel;
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

	void start() {
		setRunning(true);
		this.loop.start();
	}

	boolean stop(Duration timeout) throws InterruptedException {
		boolean stopped = this.loop.stop(timeout);
		setRunning(!stopped);
		return stopped;
	}

	private synchronized void setRunning(boolean running) {
		this.running = running;
		this.state = null;
	}

	/**
	 * Has the state of the loop read or written. The loop does not start meanwhile.
	 * @param out the body of the answer
	 * @throws IllegalStateException if the loop has not stopped
	 */
	synchronized void state(Access access, FrameWriter out) throws MalformedFrameException {
		if (this.running || this.closed) {
			throw new IllegalStateException("the state of a loop is accessible only between its stop and its start");
		}
		HostedState found = this.state;
		if (found == null) {
			found = new HostedState(this.loop.memory(this.kernel));
			this.state = found;
		}
		access.perform(found, out);
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

	/**
	 * What is done with the state.
	 */
	@FunctionalInterface
	interface Access {

		/**
		 * Reads or writes.
		 * @throws MalformedFrameException if what is asked for is no part of the state
		 */
		void perform(HostedState state, FrameWriter out) throws MalformedFrameException;

	}

}
