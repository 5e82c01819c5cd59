package io.ringkernel.runtime;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts durations in buckets: each power of two is divided into 16, so a bucket is at
 * most 1/16 of its value wide. Recording allocates nothing and takes no lock.
 */
final class LatencyHistogram {

	private static final int DIVISION_BITS = 4;

	private static final int BUCKETS = index(Long.MAX_VALUE) + 1;

	private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

	private final LongAdder sum = new LongAdder();

	private final LongAccumulator max = new LongAccumulator(Math::max, 0);

	void record(long nanos) {
		long value = Math.max(0, nanos);
		this.counts.getAndIncrement(index(value));
		this.sum.add(value);
		this.max.accumulate(value);
	}

	private static int index(long value) {
		int shift = Math.max(0, Long.SIZE - 1 - DIVISION_BITS - Long.numberOfLeadingZeros(value));
		return (shift << DIVISION_BITS) + (int) (value >>> shift);
	}

	/**
	 * The largest value that a bucket counts.
	 */
	private static long last(int index) {
		int shift = Math.max(0, (index >>> DIVISION_BITS) - 1);
		long first = (long) (index - (shift << DIVISION_BITS)) << shift;
		return first + (1L << shift) - 1;
	}

	/**
	 * What has been counted. Durations recorded meanwhile may be missing in part.
	 */
	LatencySummary summary() {
		long[] copy = new long[BUCKETS];
		long total = 0;
		for (int i = 0; i < BUCKETS; i++) {
			copy[i] = this.counts.get(i);
			total += copy[i];
		}
		long longest = this.max.get();
		return new LatencySummary(total, (total > 0) ? this.sum.sum() / (double) total : 0,
				percentile(copy, total, 0.5, longest), percentile(copy, total, 0.9, longest),
				percentile(copy, total, 0.99, longest), percentile(copy, total, 0.999, longest), longest);
	}

	private static long percentile(long[] counts, long total, double fraction, long max) {
		long rank = (long) Math.ceil(total * fraction);
		long seen = 0;
		for (int i = 0; i < counts.length; i++) {
			seen += counts[i];
			if (seen >= rank && seen > 0) {
				return Math.min(last(i), max);
			}
		}
		return max;
	}

}
