package io.ringkernel.control;

import java.util.List;

/**
 * What requests took on a device, from when a worker found them until their responses
 * were on their way, counted by powers of two. The unit is that of the device's clock: a
 * tick of {@value #CYCLES_PER_TICK} cycles.
 *
 * @param total all of them together
 * @param counts how many took less than {@link #end} of their bucket, and no less than
 * that of the one before; the last counts all that took longer as well
 * @since 0.1.0
 */
public record DeviceTicks(long total, List<Long> counts) {

	/** Cycles of a tick. */
	public static final int CYCLES_PER_TICK = 16;

	static final int BUCKETS = 22;

	private static final int FIRST_BITS = 3;

	/**
	 * Creates the times.
	 * @param total all of them together
	 * @param counts how many fell into which bucket
	 */
	public DeviceTicks {
		counts = List.copyOf(counts);
	}

	/**
	 * {@return the ticks that the requests of a bucket took less than}
	 * @param bucket the bucket, from 0
	 */
	public static long end(int bucket) {
		return 1L << (FIRST_BITS + bucket);
	}

}
