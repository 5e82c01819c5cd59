package io.ringkernel.observe;

import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * A summary of the timed requests of a kernel. Times are in nanoseconds, accurate to 1 %;
 * a time above one day counts as one day.
 *
 * @param count the number of timed requests
 * @param mean the mean
 * @param p50 the median
 * @param p90 the 90th percentile
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param max the longest time
 * @since 0.1.0
 */
public record LatencySummary(long count, double mean, long p50, long p90, long p99, long p999, long max) {

	/** Works on a copy, whose count and percentiles agree while other threads record. */
	static LatencySummary of(AtomicHistogram recorded) {
		return of(copy(recorded));
	}

	static LatencySummary of(Histogram times) {
		return new LatencySummary(times.getTotalCount(), times.getMean(), times.getValueAtPercentile(50),
				times.getValueAtPercentile(90), times.getValueAtPercentile(99), times.getValueAtPercentile(99.9),
				times.getMaxValue());
	}

	static Histogram copy(AtomicHistogram recorded) {
		Histogram copy = new Histogram(recorded);
		copy.add(recorded);
		return copy;
	}

}
