package io.ringkernel.observe;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Tests for {@link LatencyWindow}.
 */
class LatencyWindowTests {

	private final KernelTimings timings = new KernelTimings("any");

	private void record(long nanos) {
		this.timings.record(nanos, nanos, nanos, nanos);
	}

	@Test
	void countsNothingThatWasTimedBefore() {
		record(1_000_000);
		LatencyWindow window = new LatencyWindow(this.timings);
		assertThat(window.next()).isEqualTo(new LatencySummary(0, 0, 0, 0, 0, 0, 0));
		record(1000);
		LatencySummary summary = window.next();
		assertThat(summary.count()).isEqualTo(1);
		assertThat(summary.p50()).isCloseTo(1000, withinPercentage(1));
		assertThat(summary.max()).isCloseTo(1000, withinPercentage(1));
		assertThat(window.next().count()).isZero();
	}

	@Test
	void leavesTheTimesOfAllRequestsAsTheyAre() {
		LatencyWindow window = new LatencyWindow(this.timings);
		record(1000);
		window.next();
		assertThat(this.timings.total().count()).isEqualTo(1);
	}

}
