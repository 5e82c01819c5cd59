package io.ringkernel.session;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PacingTests {

	private static final long LONGEST = Duration.ofMillis(10).toNanos();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRestIsNeverLongerThanTenMilliseconds(boolean rings) {
		Pacing pacing = new Pacing(() -> rings);
		for (long elapsed = 1; elapsed < Duration.ofHours(10).toNanos(); elapsed *= 2) {
			assertThat(pacing.rest(elapsed)).as("after %s ns", elapsed).isBetween(0L, LONGEST);
		}
	}

	@Test
	void aWaiterOfADeviceRestsForAFractionOfWhatHasPassed() {
		Pacing pacing = new Pacing(() -> false);
		for (long elapsed = 1_000_000; elapsed < LONGEST; elapsed *= 2) {
			assertThat(pacing.rest(elapsed)).isPositive().isLessThanOrEqualTo(elapsed / 20);
		}
	}

	@Test
	void aWaiterOfADeviceSleepsUntilShortlyBeforeTheUsualTimeAndLooksFromThereOn() {
		Pacing pacing = new Pacing(() -> false);
		long usual = Duration.ofMillis(4).toNanos();
		pacing.observed(usual);
		assertThat(pacing.rest(2_000_000)).isBetween(500_000L, 1_800_000L);
		assertThat(pacing.rest(usual)).isZero();
	}

}
