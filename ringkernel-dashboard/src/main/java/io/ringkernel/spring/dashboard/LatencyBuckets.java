package io.ringkernel.spring.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;

/**
 * How many of a kernel's requests took how long, by the buckets that the timer of its
 * requests has.
 */
final class LatencyBuckets {

	private LatencyBuckets() {
	}

	/**
	 * Reads the buckets of a kernel.
	 * @param registry the registry with the timer
	 * @param kernelId the kernel
	 * @return for each bucket {@code below}, in nanoseconds, and the {@code count} of the
	 * requests that took longer than those of the bucket before, the quickest first;
	 * empty without buckets
	 */
	static List<Map<String, Object>> read(MeterRegistry registry, String kernelId) {
		TreeMap<Double, Double> cumulative = new TreeMap<>();
		for (Timer timer : registry.find("ringkernel.request").tag("kernel", kernelId).timers()) {
			for (CountAtBucket bucket : timer.takeSnapshot().histogramCounts()) {
				cumulative.merge(bucket.bucket(TimeUnit.NANOSECONDS), bucket.count(), Double::sum);
			}
		}
		List<Map<String, Object>> buckets = new ArrayList<>();
		double before = 0;
		for (Map.Entry<Double, Double> bucket : cumulative.entrySet()) {
			if (!bucket.getKey().isInfinite()) {
				buckets.add(Map.of("below", bucket.getKey(), "count", Math.max(0, bucket.getValue() - before)));
				before = bucket.getValue();
			}
		}
		return buckets;
	}

}
