package io.ringkernel.test.ptx.code;

import java.util.function.IntBinaryOperator;

import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** Instructions by which lanes learn of the predicates and values of others. */
final class Vote {

	private Vote() {
	}

	/**
	 * {@code vote.sync} with a predicate as the result.
	 *
	 * @param decision gives 0 or all bits for the lanes that vote for it, and all that
	 * vote
	 */
	record Decide(Statement statement, int destination, Source source, IntBinaryOperator decision,
			int members) implements Meeting.Together {

		@Override
		public void execute(Warp warp, int lanes) {
			Flags.set(warp, this.destination, lanes, this.decision.applyAsInt(this.source.of(warp) & lanes, lanes));
		}
	}

	/** {@code vote.sync.ballot}. */
	record Ballot(Statement statement, int destination, Source source, int members) implements Meeting.Together {

		@Override
		public void execute(Warp warp, int lanes) {
			warp.fill(this.destination, lanes, this.source.of(warp) & lanes);
		}
	}

	/** {@code match.any.sync}: which lanes have the same value. */
	record Match(Statement statement, int destination, int source, int shift, int members) implements Meeting.Together {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			long[] before = warp.copy(this.source);
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				int same = 0;
				for (int others = lanes; others != 0; others &= others - 1) {
					int other = Integer.numberOfTrailingZeros(others);
					if ((before[lane] ^ before[other]) << this.shift == 0) {
						same |= 1 << other;
					}
				}
				values[this.destination + lane] = same;
			}
		}

	}

	/** {@code activemask}. */
	record ActiveMask(Statement statement, int destination) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			warp.fill(this.destination, lanes, lanes);
		}
	}

	/** Reads the clock. */
	record Now(Statement statement, int destination, int shift) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			warp.fill(this.destination, lanes, warp.block().grid().clock().nanos() >>> this.shift);
		}
	}

}
