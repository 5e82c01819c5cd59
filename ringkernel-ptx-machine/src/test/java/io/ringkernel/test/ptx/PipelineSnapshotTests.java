package io.ringkernel.test.ptx;

import io.ringkernel.RingKernelHandler;

/**
 * The state of all stages of a pipeline is saved and restored, also where two stages are
 * of one class.
 */
class PipelineSnapshotTests extends HandlerSnapshotTests {

	@Override
	RingKernelHandler<Trade, Position> desk() {
		return new Rising(1).andThen(new Rising(2)).andThen(new Desk());
	}

	/** Fails unless what it has seen before is restored. */
	static final class Rising implements RingKernelHandler<Trade, Trade> {

		private final int step;

		private int seen;

		Rising(int step) {
			this.step = step;
		}

		@Override
		public Trade handle(Trade trade) {
			this.seen += this.step;
			if (trade.amount() < 0 && this.seen != 2 * this.step) {
				throw new IllegalStateException("The state of a stage was lost");
			}
			return trade;
		}

	}

}
