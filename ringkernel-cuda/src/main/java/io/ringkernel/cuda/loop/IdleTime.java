package io.ringkernel.cuda.loop;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * How long a kernel that is launched on demand finds nothing before it ends: for its idle
 * budget or, if it is needed again soon after its end, until the time limit of the
 * launch. A caller who calls many kernels in turn comes back to each of them later than
 * its budget, and would wait for a launch at every call; this way all of them stay.
 * <p>
 * What it costs: a kernel that gets a request every ten milliseconds is on the device all
 * the time. So it is for a platform on which something happens beside a kernel, and for
 * as many kernels as find a place there at once. For the driver's thread alone.
 */
final class IdleTime {

	/** After so long a pause, a launch has the budget again. */
	static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** The budget of a launch that ends by its time limit. */
	static final long FOR_EVER = 0;

	private final long budgetNanos;

	private final BooleanSupplier mayStay;

	private long endedAt;

	/**
	 * Begins before the first launch.
	 * @param mayStay whether a launch may last for its time limit; asked at each
	 * @param now the {@link System#nanoTime}, as everywhere here
	 */
	IdleTime(long budgetNanos, BooleanSupplier mayStay, long now) {
		this.budgetNanos = budgetNanos;
		this.mayStay = mayStay;
		this.endedAt = now - SOON_NANOS;
	}

	void ended(long now) {
		this.endedAt = now;
	}

	/** The idle budget of a launch that begins now. */
	long next(long now) {
		return (now - this.endedAt < SOON_NANOS && this.mayStay.getAsBoolean()) ? FOR_EVER : this.budgetNanos;
	}

}
