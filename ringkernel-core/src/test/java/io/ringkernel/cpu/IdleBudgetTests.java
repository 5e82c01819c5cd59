package io.ringkernel.cpu;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.ring.WaitStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class IdleBudgetTests {

	private static int rounds(IdleBudget budget) {
		int rounds = 0;
		while (budget.pause()) {
			rounds++;
		}
		return rounds;
	}

	@Test
	void noBudgetIsUsedUpByTheSpinsAlone() {
		assertThat(rounds(new IdleBudget(Duration.ZERO))).isEqualTo(WaitStrategy.SPINS);
	}

	@Test
	void aBudgetIsUsedUpInItsTime() {
		Duration budget = Duration.ofMillis(20);
		long begin = System.nanoTime();
		assertThat(rounds(new IdleBudget(budget, () -> true))).isGreaterThanOrEqualTo(WaitStrategy.SPINS);
		assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(budget.toNanos());
	}

	@Test
	void aYieldThatCostsATimeSliceEndsTheBudget() {
		AtomicInteger yields = new AtomicInteger();
		IdleBudget budget = new IdleBudget(Duration.ofDays(1), () -> yields.incrementAndGet() < 3);
		assertThat(rounds(budget)).isEqualTo(WaitStrategy.SPINS + 2);
	}

	@Test
	void aResetGrantsTheWholeBudgetAgain() {
		IdleBudget budget = new IdleBudget(Duration.ZERO);
		rounds(budget);
		budget.reset();
		assertThat(rounds(budget)).isEqualTo(WaitStrategy.SPINS);
	}

}
