package io.ringkernel.observe;

import java.util.ArrayList;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How many of the timed requests of a kernel took about as long.
 *
 * @param fromNanos the shortest time that counts, in nanoseconds: a power of two, or zero
 * @param belowNanos the next power of two, which does not count any more
 * @param count the number of requests
 * @since 0.2.0
 */
public record LatencyBucket(long fromNanos, long belowNanos, long count) {

	/**
	 * Adds up times by powers of two. The histogram counts together what lies between two
	 * powers of two alone.
	 */
	static List<LatencyBucket> of(Histogram times) {
		List<LatencyBucket> buckets = new ArrayList<>();
		long from = 0;
		long count = 0;
		for (HistogramIterationValue time : times.recordedValues()) {
			long power = Long.highestOneBit(time.getValueIteratedTo());
			if (power != from) {
				add(buckets, from, count);
				from = power;
				count = 0;
			}
			count += time.getCountAtValueIteratedTo();
		}
		add(buckets, from, count);
		return buckets;
	}

	private static void add(List<LatencyBucket> buckets, long from, long count) {
		if (count > 0) {
			buckets.add(new LatencyBucket(from, Math.max(1, 2 * from), count));
		}
	}

}
