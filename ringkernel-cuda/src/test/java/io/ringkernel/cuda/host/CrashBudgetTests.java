package io.ringkernel.cuda.host;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CrashBudgetTests {

	private static final long FORGIVEN_AFTER = CrashBudget.FORGIVEN_AFTER.toNanos();

	/** As any value of the clock does, it may be about to overflow. */
	private static final long BEGIN = Long.MAX_VALUE - FORGIVEN_AFTER;

	private final CrashBudget budget = new CrashBudget();

	@Test
	void threeCrashesSpendIt() {
		this.budget.spend(BEGIN);
		this.budget.spend(BEGIN + 1);
		assertThat(this.budget.isSpent(BEGIN + 1)).isFalse();
		this.budget.spend(BEGIN + 2);
		assertThat(this.budget.isSpent(BEGIN + 2)).isTrue();
	}

	@Test
	void eachCrashIsForgivenFiveMinutesAfterIt() {
		this.budget.spend(BEGIN);
		this.budget.spend(BEGIN + 10);
		this.budget.spend(BEGIN + 20);
		assertThat(this.budget.isSpent(BEGIN + FORGIVEN_AFTER - 1)).isTrue();
		assertThat(this.budget.isSpent(BEGIN + FORGIVEN_AFTER)).isFalse();
		this.budget.spend(BEGIN + FORGIVEN_AFTER);
		assertThat(this.budget.isSpent(BEGIN + FORGIVEN_AFTER + 9)).isTrue();
		assertThat(this.budget.isSpent(BEGIN + FORGIVEN_AFTER + 10)).isFalse();
	}

}
