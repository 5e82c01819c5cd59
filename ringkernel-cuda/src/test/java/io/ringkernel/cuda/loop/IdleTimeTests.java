package io.ringkernel.cuda.loop;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel that is launched on demand stays for as long as it is needed again and again.
 */
class IdleTimeTests {

	private static final long BUDGET = TimeUnit.MICROSECONDS.toNanos(200);

	private final IdleTime time = new IdleTime(BUDGET, true, 0);

	@Test
	void theFirstLaunchHasTheBudget() {
		assertThat(this.time.next(5)).isEqualTo(BUDGET);
	}

	@Test
	void aKernelThatIsNeededSoonAfterItsEndStaysForLongerEachTimeUpToALimit() {
		long now = 0;
		long last = this.time.next(now);
		for (int launch = 0; launch < 6; launch++) {
			this.time.ended(now);
			now += IdleTime.SOON_NANOS - 1;
			long next = this.time.next(now);
			assertThat(next).isEqualTo(Math.min(4 * last, IdleTime.LONGEST_NANOS));
			last = next;
		}
		assertThat(last).isEqualTo(IdleTime.LONGEST_NANOS);
	}

	@Test
	void afterAPauseItHasTheBudgetAgain() {
		this.time.ended(0);
		assertThat(this.time.next(1)).isGreaterThan(BUDGET);
		this.time.ended(2);
		assertThat(this.time.next(2 + IdleTime.SOON_NANOS)).isEqualTo(BUDGET);
	}

	@Test
	void aBudgetBeyondTheLimitIsKept() {
		IdleTime patient = new IdleTime(2 * IdleTime.LONGEST_NANOS, true, 0);
		patient.ended(0);
		assertThat(patient.next(1)).isEqualTo(2 * IdleTime.LONGEST_NANOS);
	}

	@Test
	void whereItHoldsUpOthersItHasTheBudgetAlways() {
		IdleTime brief = new IdleTime(BUDGET, false, 0);
		brief.ended(0);
		assertThat(brief.next(1)).isEqualTo(BUDGET);
	}

}
