package io.ringkernel.cuda.loop;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel that is launched on demand stays while it is needed again and again.
 */
class IdleTimeTests {

	private static final long BUDGET = TimeUnit.MICROSECONDS.toNanos(200);

	private final IdleTime time = new IdleTime(BUDGET, () -> true, 0);

	@Test
	void theFirstLaunchHasTheBudget() {
		assertThat(this.time.next(0)).isEqualTo(BUDGET);
	}

	@Test
	void aKernelThatIsNeededSoonAfterItsEndStays() {
		this.time.ended(5);
		assertThat(this.time.next(5 + IdleTime.SOON_NANOS - 1)).isEqualTo(IdleTime.FOR_EVER);
	}

	@Test
	void afterAPauseItHasTheBudgetAgain() {
		this.time.ended(0);
		assertThat(this.time.next(1)).isEqualTo(IdleTime.FOR_EVER);
		this.time.ended(2);
		assertThat(this.time.next(2 + IdleTime.SOON_NANOS)).isEqualTo(BUDGET);
	}

	@Test
	void whereItHoldsUpOthersItHasTheBudgetAlways() {
		IdleTime brief = new IdleTime(BUDGET, () -> false, 0);
		brief.ended(0);
		assertThat(brief.next(1)).isEqualTo(BUDGET);
	}

}
