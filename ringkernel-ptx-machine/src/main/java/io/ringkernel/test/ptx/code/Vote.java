package io.ringkernel.test.ptx.code;

import java.util.function.IntBinaryOperator;

import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Instructions by which lanes learn of the predicates and values of others.
 */
final class Vote {

	private Vote() {
	}

	/** {@code vote.sync} with a predicate as the result. */
	static final class Decide extends Meeting.Together {

		private final int destination;

		private final Source source;

		private final IntBinaryOperator decision;

		/**
		 * @param decision gives 0 or all bits for those who vote for it, and all voters
		 */
		Decide(Statement statement, int destination, Source source, IntBinaryOperator decision, int members) {
			super(statement, members);
			this.destination = destination;
			this.source = source;
			this.decision = decision;
		}

		@Override
		void execute(Warp warp, int lanes) {
			Flags.set(warp, this.destination, lanes, this.decision.applyAsInt(this.source.of(warp) & lanes, lanes));
		}

	}

	/** {@code vote.sync.ballot}. */
	static final class Ballot extends Meeting.Together {

		private final int destination;

		private final Source source;

		Ballot(Statement statement, int destination, Source source, int members) {
			super(statement, members);
			this.destination = destination;
			this.source = source;
		}

		@Override
		void execute(Warp warp, int lanes) {
			int votes = this.source.of(warp) & lanes;
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				warp.values()[this.destination + Integer.numberOfTrailingZeros(rest)] = votes;
			}
		}

	}

	/** {@code match.any.sync}: which lanes have the same value. */
	static final class Match extends Meeting.Together {

		private final int destination;

		private final int source;

		private final int shift;

		Match(Statement statement, int destination, int source, int members) {
			super(statement, members);
			this.destination = destination;
			this.source = source;
			this.shift = Integers.shift(statement.type());
		}

		@Override
		void execute(Warp warp, int lanes) {
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
	static final class ActiveMask extends LaneInstruction {

		private final int destination;

		ActiveMask(Statement statement, int destination) {
			super(statement);
			this.destination = destination;
		}

		@Override
		void execute(Warp warp, int lanes) {
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				warp.values()[this.destination + Integer.numberOfTrailingZeros(rest)] = lanes;
			}
		}

	}

	/** Reads the clock. */
	static final class Now extends LaneInstruction {

		private final int destination;

		private final int shift;

		Now(Statement statement, int destination, int shift) {
			super(statement);
			this.destination = destination;
			this.shift = shift;
		}

		@Override
		void execute(Warp warp, int lanes) {
			long now = warp.block().grid().clock().nanos() >>> this.shift;
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				warp.values()[this.destination + Integer.numberOfTrailingZeros(rest)] = now;
			}
		}

	}

}
