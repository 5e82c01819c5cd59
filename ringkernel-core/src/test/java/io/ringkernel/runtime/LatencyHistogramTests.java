package io.ringkernel.runtime;

import java.lang.management.ManagementFactory;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

class LatencyHistogramTests {

	private final LatencyHistogram histogram = new LatencyHistogram();

	@Test
	void whatHasCountedNothingIsZero() {
		assertThat(this.histogram.summary()).isEqualTo(new LatencySummary(0, 0, 0, 0, 0, 0, 0));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 15, 16, 17, 31, 32, 1000, 2_250, 1_000_000, 987_654_321, Long.MAX_VALUE })
	void aSingleValueIsEveryPercentile(long value) {
		this.histogram.record(value);
		assertThat(this.histogram.summary()).isEqualTo(new LatencySummary(1, value, value, value, value, value, value));
	}

	@Test
	void percentilesAreExactToASixteenth() {
		LongStream.rangeClosed(1, 100_000).forEach(this.histogram::record);
		LatencySummary summary = this.histogram.summary();
		assertThat(summary.count()).isEqualTo(100_000);
		assertThat(summary.mean()).isEqualTo(50_000.5, offset(0.01));
		assertThat(summary.p50()).isBetween(50_000L, 53_125L);
		assertThat(summary.p90()).isBetween(90_000L, 95_625L);
		assertThat(summary.p99()).isBetween(99_000L, 100_000L);
		assertThat(summary.p999()).isBetween(99_900L, 100_000L);
		assertThat(summary.max()).isEqualTo(100_000);
	}

	@Test
	void aTimeBelowZeroCountsAsZero() {
		this.histogram.record(-5);
		assertThat(this.histogram.summary().max()).isZero();
	}

	@Test
	void recordingAllocatesNothing() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		LongStream.range(0, 20_000).forEach(this.histogram::record);
		long before = threads.getCurrentThreadAllocatedBytes();
		for (long i = 0; i < 100_000; i++) {
			this.histogram.record(i);
		}
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
	}

}
