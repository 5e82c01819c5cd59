package io.ringkernel.cuda.host.server;

import java.time.Duration;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.ring.RingMirror;
import org.jspecify.annotations.Nullable;

/**
 * A loop in the host, with what it takes for the host's half of its ring. A kernel that
 * polls needs no bell; what supervises it wants to know all the same whether it leaves
 * requests lying.
 */
final class HostedLoop {

	private final KernelSpec<?, ?> kernel;

	private final DeviceLoop loop;

	private final KernelRegion region;

	private final RingMirror mirror;

	private final boolean polls;

	private volatile boolean closed;

	private long lookedAt = System.nanoTime();

	private boolean left;

	/** Whether the loop may handle a request. */
	private boolean running;

	/** What the application reads and writes until the loop is started. */
	private @Nullable HostedState state;

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

	boolean isLeft() {
		return this.closed || this.left;
	}

	void leave() {
		this.left = true;
	}

	boolean polls() {
		return this.polls;
	}

	String kernelId() {
		return this.kernel.id();
	}

	long lookedAt() {
		return this.lookedAt;
	}

	/**
	 * Looks at the ring, and rings if there is a request; if there is none, may nudge the
	 * loop. Called by one thread, which a mirror that goes over from a loop to the next
	 * stays with.
	 */
	boolean look(boolean nudge) {
		this.lookedAt = System.nanoTime();
		boolean found = this.mirror.look();
		if (found) {
			this.loop.doorbell();
		}
		else if (nudge) {
			this.loop.nudge();
		}
		return found;
	}

	@FunctionalInterface
	interface Access {

		/** Fails if what is asked for is no part of the state. */
		void perform(HostedState state, FrameWriter out) throws MalformedFrameException;

	}

}
