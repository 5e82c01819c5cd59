package io.ringkernel.spring.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.observe.LatencySummary;
import org.jspecify.annotations.Nullable;

/**
 * What a kernel did in one interval.
 *
 * @param at when the interval ended, in milliseconds since 1970
 * @param requests requests that were answered, per second
 * @param errors requests that failed, timed out, were rejected or were lost, per second
 * @param p50 the median of the latency in nanoseconds; {@code null} if no request was
 * timed
 * @param p99 the 99th percentile of the latency in nanoseconds; {@code null} likewise
 * @param busy the share of the interval in which the workers on the device were at work,
 * from 0 to 1; {@code null} if the device does not tell
 */
record HistorySample(long at, double requests, double errors, @Nullable Long p50, @Nullable Long p99,
		@Nullable Double busy) {

	static HistorySample of(long at, double requests, double errors, LatencySummary latency, @Nullable Double busy) {
		boolean timed = latency.count() > 0;
		return new HistorySample(at, requests, errors, timed ? latency.p50() : null, timed ? latency.p99() : null,
				busy);
	}

	Map<String, @Nullable Object> toMap() {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("at", this.at);
		values.put("requests", this.requests);
		values.put("errors", this.errors);
		values.put("p50", this.p50);
		values.put("p99", this.p99);
		values.put("busy", this.busy);
		return values;
	}

}
