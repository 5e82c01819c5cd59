package io.ringkernel.benchmarks;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;

/**
 * How both sides of the Disruptor wait.
 */
public enum DisruptorWait {

	/** Spins. */
	BUSY_SPIN,

	/** Spins a hundred times, then yields. */
	YIELDING;

	WaitStrategy strategy() {
		return switch (this) {
			case BUSY_SPIN -> new BusySpinWaitStrategy();
			case YIELDING -> new YieldingWaitStrategy();
		};
	}

}
