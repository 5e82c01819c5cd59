package io.ringkernel.cuda.loop;

import java.util.concurrent.TimeUnit;

/**
 * How long a kernel that is launched on demand finds nothing before it ends: for its idle
 * budget, and for longer if it is needed again soon after its end. A caller who calls
 * many kernels in turn comes back to each of them later than its budget, and would wait
 * for a launch at every call; a few launches later, all of them stay.
 * <p>
 * What it costs: under requests that come a hundred times a second or more often, the
 * kernel is on the device all the time. So it is for a platform on which something
 * happens beside a kernel. For the driver's thread alone.
 */
final class IdleTime {

	/** After so long a pause, a kernel begins again with its budget. */
	static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** Far less than the time limit of a launch. */
	static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** Three steps lead from the default budget to the longest time. */
	private static final int GROWTH = 4;

	private final long budgetNanos;

	private final boolean grows;

	private long nanos;

	private long endedAt;

	/**
	 * Begins with the budget, before the first launch.
	 * @param grows whether the kernel may stay for longer
	 * @param now the {@link System#nanoTime}, as everywhere here
	 */
	IdleTime(long budgetNanos, boolean grows, long now) {
		this.budgetNanos = budgetNanos;
		this.grows = grows;
		this.nanos = budgetNanos;
		this.endedAt = now - SOON_NANOS;
	}

	/** The kernel has been seen to have ended. */
	void ended(long now) {
		this.endedAt = now;
	}

	/**
	 * The time of a launch that begins now.
	 */
	long next(long now) {
		if (now - this.endedAt >= SOON_NANOS) {
			this.nanos = this.budgetNanos;
		}
		else if (this.grows && this.nanos < LONGEST_NANOS) {
			this.nanos = Math.min(GROWTH * this.nanos, LONGEST_NANOS);
		}
		return this.nanos;
	}

}
