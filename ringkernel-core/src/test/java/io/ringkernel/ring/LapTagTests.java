package io.ringkernel.ring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(10)
class LapTagTests {

	private static final int SHIFT = 2;

	private static int ofLap(long lap) {
		return LapTag.of(lap << SHIFT, SHIFT);
	}

	@Test
	void allPositionsOfALapHaveOneTag() {
		assertThat(LapTag.of(20, SHIFT)).isEqualTo(LapTag.of(23, SHIFT)).isNotEqualTo(LapTag.of(24, SHIFT));
	}

	@Test
	void noTagIsWhatClearedMemoryHolds() {
		for (long lap : new long[] { 0, 1, (1L << 30) - 1, 1L << 30, (1L << 31) - 1, 1L << 31, 1L << 40 }) {
			assertThat(ofLap(lap)).isNotEqualTo(LapTag.NONE);
			assertThat(ofLap(lap) & 1).isEqualTo(1);
		}
	}

	@Test
	void tagsWrapAfterTwoToThe31Laps() {
		assertThat(ofLap(1L << 31)).isEqualTo(ofLap(0));
		assertThat(ofLap((1L << 31) - 1)).isEqualTo(-1);
		assertThat(ofLap((1L << 31) + 5)).isEqualTo(ofLap(5));
	}

	@Test
	void theTagSpaceHasTwoHalves() {
		assertThat(LapTag.half(ofLap(0))).isZero();
		assertThat(LapTag.half(ofLap((1L << 30) - 1))).isZero();
		assertThat(LapTag.half(ofLap(1L << 30))).isEqualTo(1);
		assertThat(LapTag.half(ofLap((1L << 31) - 1))).isEqualTo(1);
		assertThat(LapTag.half(ofLap(1L << 31))).isZero();
	}

	@Test
	void laterIsToldAcrossBothWraps() {
		for (long lap : new long[] { 0, 100, (1L << 30) - 2, (1L << 31) - 2, (1L << 32) - 2 }) {
			for (int ahead : new int[] { 1, 2, 3, 1_000, 1 << 29 }) {
				assertThat(LapTag.isLater(ofLap(lap + ahead), ofLap(lap))).isTrue();
				assertThat(LapTag.isLater(ofLap(lap), ofLap(lap + ahead))).isFalse();
			}
			assertThat(LapTag.isLater(ofLap(lap), ofLap(lap))).isFalse();
		}
	}

}
