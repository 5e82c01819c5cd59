package io.ringkernel.cpu;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.ringkernel.ring.WaitStrategy;

/**
 * How long a worker looks for requests before it comes to rest. The clock is only read
 * once spinning has given way to yielding.
 */
final class IdleBudget {

	private final long nanos;

	private final BooleanSupplier tryYield;

	private int rounds;

	private long yieldingSince;

	IdleBudget(Duration budget) {
		this(budget, WaitStrategy::tryYield);
	}

	IdleBudget(Duration budget, BooleanSupplier tryYield) {
		this.nanos = budget.toNanos();
		this.tryYield = tryYield;
	}

	void reset() {
		this.rounds = 0;
	}

	/** Returns {@code false} once the budget is used up, or if yielding costs slices. */
	boolean pause() {
		int round = this.rounds++;
		if (round < WaitStrategy.SPINS) {
			Thread.onSpinWait();
			return true;
		}
		long now = System.nanoTime();
		if (round == WaitStrategy.SPINS) {
			this.yieldingSince = now;
		}
		return this.tryYield.getAsBoolean() && now - this.yieldingSince < this.nanos;
	}

}
