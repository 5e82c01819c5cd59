package io.ringkernel.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import io.ringkernel.control.DeviceTicks;

/**
 * What the requests of a launch took on their device: from when a worker found a request
 * in the ring until its response was on its way. All requests are counted. The device
 * counts cycles, which are taken here to be as long as at its highest clock rate: where
 * it runs slower, requests take longer than is said.
 *
 * @param count how many requests
 * @param totalNanos all of them together, in nanoseconds
 * @param histogram how they are distributed; those buckets that have any
 * @since 0.1.0
 */
public record DeviceTimes(long count, long totalNanos, List<Bucket> histogram) {

	private static final double NANOS = 1e9;

	/**
	 * Creates the times.
	 * @param count how many requests
	 * @param totalNanos all of them together, in nanoseconds
	 * @param histogram how they are distributed
	 */
	public DeviceTimes {
		histogram = List.copyOf(histogram);
	}

	/**
	 * {@return what workers have counted, as times}
	 * @param ticks their counts, in cycles
	 * @param clockHertz cycles a second
	 */
	public static DeviceTimes of(DeviceTicks ticks, long clockHertz) {
		double nanos = NANOS * DeviceTicks.CYCLES_PER_TICK / clockHertz;
		List<Bucket> histogram = new ArrayList<>();
		long all = 0;
		for (int i = 0; i < ticks.counts().size(); i++) {
			long count = ticks.counts().get(i);
			all += count;
			if (count > 0) {
				boolean open = i == ticks.counts().size() - 1;
				histogram.add(new Bucket(open ? Long.MAX_VALUE : Math.round(DeviceTicks.end(i) * nanos), count));
			}
		}
		return new DeviceTimes(all, Math.round(ticks.total() * nanos), histogram);
	}

	/**
	 * {@return the times of all replicas together; buckets with the same bound are one}
	 * @param replicas their times
	 * @since 0.2.0
	 */
	public static DeviceTimes of(List<DeviceTimes> replicas) {
		SortedMap<Long, Long> histogram = new TreeMap<>();
		long count = 0;
		long totalNanos = 0;
		for (DeviceTimes replica : replicas) {
			count += replica.count();
			totalNanos += replica.totalNanos();
			replica.histogram().forEach((bucket) -> histogram.merge(bucket.belowNanos(), bucket.count(), Long::sum));
		}
		return new DeviceTimes(count, totalNanos,
				histogram.entrySet().stream().map((entry) -> new Bucket(entry.getKey(), entry.getValue())).toList());
	}

	/**
	 * Requests that took about as long as each other.
	 *
	 * @param belowNanos what each of them took less than, in nanoseconds, and no less
	 * than half of; {@link Long#MAX_VALUE} where there is no such bound
	 * @param count how many
	 */
	public record Bucket(long belowNanos, long count) {
	}

}
