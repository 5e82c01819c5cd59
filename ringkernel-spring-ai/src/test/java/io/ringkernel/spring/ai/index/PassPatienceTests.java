package io.ringkernel.spring.ai.index;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PassPatience}.
 */
class PassPatienceTests {

	private static final long PASS_MICROS = 1000;

	private static final int CALLERS = 64;

	/** When the last pass began. */
	private long began;

	@Test
	void endsIfNoCallerComes() {
		PassPatience patience = new PassPatience(63, 640);
		assertThat(patience.lasts(0, 159, 159, false)).isTrue();
		assertThat(patience.lasts(0, 160, 160, false)).isFalse();
		assertThat(patience.lasts(1, 170, 79, true)).isTrue();
		assertThat(patience.lasts(1, 170, 80, true)).isFalse();
	}

	@Test
	void endsOnceAllAreThere() {
		PassPatience patience = new PassPatience(63, 640);
		assertThat(patience.lasts(62, 0, 0, true)).isTrue();
		assertThat(patience.lasts(63, 0, 0, true)).isFalse();
	}

	@Test
	void endsAfterHalfAPass() {
		PassPatience patience = new PassPatience(63, 640);
		assertThat(patience.lasts(62, 319, 0, true)).isTrue();
		assertThat(patience.lasts(62, 320, 0, true)).isFalse();
	}

	@Test
	void isNoneForOneCaller() {
		assertThat(new PassPatience(0, 640).lasts(0, 0, 0, false)).isFalse();
		assertThat(new PassPatience(-1, 0).lasts(0, 0, 0, false)).isFalse();
	}

	/**
	 * Passes take a millisecond. Each caller asks again 140 to 400 microseconds after its
	 * answer, as on a device with 16 processors, but for one of a hundred, which is held
	 * up. Nothing here is measured: the model counts microseconds.
	 */
	@Test
	void callersWhoAskAgainSoonShareNearlyEachPass() {
		Random random = new Random(17);
		long[] arrivals = random.longs(CALLERS, 0, 1000).toArray();
		int passes = 1000;
		int expected = 1;
		long free = 0;
		long answered = 0;
		for (int pass = 0; pass < passes; pass++) {
			Arrays.sort(arrivals);
			int gathered = gathered(arrivals, Math.max(free, arrivals[0]), new PassPatience(expected - 1, PASS_MICROS));
			long end = this.began + PASS_MICROS;
			int waiting = 0;
			for (int i = gathered; i < CALLERS; i++) {
				waiting += (arrivals[i] <= end) ? 1 : 0;
			}
			for (int i = 0; i < gathered; i++) {
				arrivals[i] = end + 140 + random.nextInt(260) + ((random.nextInt(100) == 0) ? 400 : 0);
			}
			expected = gathered + waiting;
			answered += gathered;
			free = end;
		}
		assertThat((double) answered / passes).isGreaterThan(60);
	}

	/** How many come while a pass waits, which begins thereafter. */
	private int gathered(long[] arrivals, long first, PassPatience patience) {
		int gathered = 0;
		while (gathered < CALLERS && arrivals[gathered] <= first) {
			gathered++;
		}
		int atFirst = gathered;
		long lastArrival = first;
		long now = first;
		for (; patience.lasts(gathered - 1, now - first, now - lastArrival, gathered > atFirst); now++) {
			while (gathered < CALLERS && arrivals[gathered] <= now) {
				lastArrival = now;
				gathered++;
			}
		}
		this.began = now;
		return gathered;
	}

}
