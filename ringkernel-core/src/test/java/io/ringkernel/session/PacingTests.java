package io.ringkernel.session;

import java.time.Duration;

import io.ringkernel.ring.WaitStrategy;
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
			assertThat(pacing.rest(elapsed, true)).as("after %s ns", elapsed).isBetween(0L, LONGEST);
		}
	}

	@Test
	void aWaiterOfADeviceRestsForAFractionOfWhatHasPassed() {
		Pacing pacing = new Pacing(() -> false);
		for (long elapsed = 1_000_000; elapsed < LONGEST; elapsed *= 2) {
			assertThat(pacing.rest(elapsed, true)).isPositive().isLessThanOrEqualTo(elapsed / 20);
		}
	}

	@Test
	void aWaiterOfADeviceSleepsUntilShortlyBeforeTheUsualTimeAndLooksFromThereOn() {
		Pacing pacing = new Pacing(() -> false);
		long usual = Duration.ofMillis(4).toNanos();
		pacing.observed(usual);
		assertThat(pacing.rest(2_000_000, true)).isBetween(500_000L, 1_800_000L);
		assertThat(pacing.rest(usual, true)).isZero();
	}

	@Test
	void besideABellOneWaiterLooksAfterTheLoopAndTheOthersSleep() {
		Pacing pacing = new Pacing(() -> true);
		assertThat(pacing.tryWatch()).isTrue();
		assertThat(pacing.tryWatch()).isFalse();
		assertThat(pacing.rest(0, true)).isLessThan(1_000_000);
		assertThat(pacing.rest(0, false)).isEqualTo(LONGEST);
	}

	@Test
	void theWatchPassesOnWhenItsWaitEnds() {
		Pacing pacing = new Pacing(() -> true);
		pacing.waitBegun();
		assertThat(pacing.tryWatch()).isTrue();
		pacing.waitEnded(true);
		assertThat(pacing.tryWatch()).isTrue();
	}

	@Test
	void aLoneWaiterWakesAheadOfTheBellIfResponsesTakeLong() {
		Pacing pacing = new Pacing(() -> true);
		long usual = Duration.ofMillis(4).toNanos();
		pacing.observed(usual);
		assertThat(pacing.rest(0, true)).isBetween(3_000_000L, usual - 100_000);
		assertThat(pacing.rest(usual, true)).isZero();
		assertThat(pacing.rest(2 * usual, true)).isPositive();
	}

	@Test
	void manyWaitersSleepUntilTheBell() {
		Pacing pacing = new Pacing(() -> true);
		pacing.observed(Duration.ofMillis(4).toNanos());
		for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
			pacing.waitBegun();
		}
		assertThat(pacing.rest(0, false)).isEqualTo(LONGEST);
	}

	@Test
	void spinningThatIsInVainIsGivenUpAndTriedAgain() {
		Pacing pacing = new Pacing(() -> true);
		for (int i = 0; i < 100; i++) {
			assertThat(pacing.spins(64 * i)).isEqualTo(WaitStrategy.SPINS);
			pacing.spun(false);
		}
		assertThat(pacing.spins(1)).isLessThan(WaitStrategy.SPINS / 10);
		for (int i = 0; i < 100; i++) {
			pacing.spun(true);
		}
		assertThat(pacing.spins(1)).isEqualTo(WaitStrategy.SPINS);
	}

	@Test
	void beforeADeviceSpinningTakesNothingFromAnybody() {
		Pacing pacing = new Pacing(() -> false);
		for (int i = 0; i < 100; i++) {
			pacing.spun(false);
		}
		assertThat(pacing.spins(1)).isEqualTo(WaitStrategy.SPINS);
	}

}
