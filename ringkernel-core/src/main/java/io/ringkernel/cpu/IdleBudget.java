package io.ringkernel.cpu;

import java.time.Duration;

import io.ringkernel.ring.WaitStrategy;

/**
 * How long a worker looks for requests before it comes to rest. The clock is only read
 * once spinning has given way to yielding.
 */
final class IdleBudget {

	private final long nanos;

	private int rounds;

	private long yieldingSince;

	IdleBudget(Duration budget) {
		this.nanos = budget.toNanos();
	}

	void reset() {
		this.rounds = 0;
	}

	/**
	 * Pauses once.
	 * @return whether to look again; {@code false} once the budget is used up
	 */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy to others; nothing depends on
												// it.
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
		Thread.yield();
		return now - this.yieldingSince < this.nanos;
	}

}
