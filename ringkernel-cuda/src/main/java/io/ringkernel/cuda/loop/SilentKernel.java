package io.ringkernel.cuda.loop;

import java.time.Duration;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.ring.order.Backlog;

/**
 * Whether workers of a kernel have shown no sign of life since its launch although
 * requests wait for it: a worker tells when it comes up. Then either it does not run, or
 * the host and it do not see what the other writes. A kernel whose workers have all shown
 * one is not doubted any more: its handlers may take any time. For one thread at a time.
 */
final class SilentKernel {

	private final ControlBlock control;

	private final Backlog backlog;

	private final Duration patience;

	private volatile WorkerStartCheck started;

	private boolean alive;

	private long waitingSince;

	private long lookedAt;

	SilentKernel(KernelRegion region, Duration patience) {
		this.control = region.control();
		this.backlog = new Backlog(region.host(), region.control().startPosition());
		this.patience = patience;
		this.started = new WorkerStartCheck(this.control);
	}

	/** The kernel is about to be launched. */
	void begin() {
		this.started = new WorkerStartCheck(this.control);
		this.alive = false;
		this.waitingSince = 0;
	}

	/**
	 * A launch has ended, and another may follow: unless this one was silent, the next
	 * begins anew.
	 */
	void beginAgain() {
		if (this.waitingSince == 0) {
			begin();
		}
	}

	Duration patience() {
		return this.patience;
	}

	/**
	 * Whether requests have waited for longer than is worth while, and nothing else has
	 * happened.
	 */
	boolean lasts(long now) {
		if (!this.alive && this.started.absent() == 0) {
			this.alive = true;
		}
		if (this.alive || this.backlog.isEmpty()) {
			this.waitingSince = 0;
			return false;
		}
		if (this.waitingSince == 0 || now - this.lookedAt > this.patience.toNanos() / 2) {
			// They begin to wait, or nobody has looked meanwhile.
			this.waitingSince = Math.max(1, now);
		}
		this.lookedAt = now;
		return now - this.waitingSince > this.patience.toNanos();
	}

}
