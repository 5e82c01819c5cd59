package io.ringkernel.observe;

import java.lang.management.ManagementFactory;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

class LatencySummaryTests {

	private final KernelTimings timings = new KernelTimings("any");

	private void record(long nanos) {
		this.timings.record(nanos, nanos, nanos, nanos);
	}

	@Test
	void whatHasCountedNothingIsZero() {
		assertThat(this.timings.total()).isEqualTo(new LatencySummary(0, 0, 0, 0, 0, 0, 0));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 15, 16, 17, 31, 32, 1000, 2_250, 1_000_000, 987_654_321, 86_400_000_000_000L })
	void aSingleTimeIsEveryPercentile(long nanos) {
		record(nanos);
		LatencySummary summary = this.timings.total();
		assertThat(summary.count()).isEqualTo(1);
		assertThat(Stream.<ToDoubleFunction<LatencySummary>>of(LatencySummary::mean, LatencySummary::p50,
				LatencySummary::p90, LatencySummary::p99, LatencySummary::p999, LatencySummary::max))
			.allSatisfy((value) -> assertThat(value.applyAsDouble(summary)).isCloseTo(nanos, withinPercentage(1)));
	}

	@Test
	void percentilesAreAccurateToOnePercent() {
		LongStream.rangeClosed(1, 100_000).forEach(this::record);
		LatencySummary summary = this.timings.total();
		assertThat(summary.count()).isEqualTo(100_000);
		assertThat(summary.mean()).isCloseTo(50_000.5, withinPercentage(1));
		assertThat(summary.p50()).isCloseTo(50_000, withinPercentage(1));
		assertThat(summary.p90()).isCloseTo(90_000, withinPercentage(1));
		assertThat(summary.p99()).isCloseTo(99_000, withinPercentage(1));
		assertThat(summary.p999()).isCloseTo(99_900, withinPercentage(1));
		assertThat(summary.max()).isCloseTo(100_000, withinPercentage(1));
	}

	@Test
	void timesAreCountedByPowersOfTwo() {
		LongStream.of(0, 1, 1000, 1023, 1024, 987_654_321).forEach(this::record);
		assertThat(this.timings.totalBuckets()).containsExactly(new LatencyBucket(0, 1, 1), new LatencyBucket(1, 2, 1),
				new LatencyBucket(512, 1024, 2), new LatencyBucket(1024, 2048, 1),
				new LatencyBucket(1 << 29, 1 << 30, 1));
	}

	@Test
	void whatHasCountedNothingHasNoBuckets() {
		assertThat(this.timings.totalBuckets()).isEmpty();
	}

	@Test
	void aTimeBelowZeroCountsAsZero() {
		record(-5);
		assertThat(this.timings.queued()).isEqualTo(new LatencySummary(1, 0, 0, 0, 0, 0, 0));
	}

	@Test
	void aTimeOfMoreThanADayCountsAsADay() {
		record(Long.MAX_VALUE);
		assertThat(this.timings.handling().count()).isEqualTo(1);
		assertThat(this.timings.handling().max()).isCloseTo(KernelTimings.LONGEST, withinPercentage(1));
	}

	@Test
	void recordingAllocatesNothing() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		LongStream.range(0, 20_000).forEach(this::record);
		long before = threads.getCurrentThreadAllocatedBytes();
		for (long i = 0; i < 100_000; i++) {
			record(i);
		}
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
	}

}
