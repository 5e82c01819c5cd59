package io.ringkernel.test.ptx.code;

import java.util.function.IntBinaryOperator;

import io.ringkernel.test.ptx.arithmetic.Comparisons.Comparison;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** Instructions that make predicates, or choose by them. */
final class Flags {

	private Flags() {
	}

	/** A predicate that an instruction reads. */
	record Source(int flag, boolean negated) {

		int of(Warp warp) {
			return this.negated ? ~warp.flags()[this.flag] : warp.flags()[this.flag];
		}

	}

	/** Gives some lanes of a predicate another value. */
	static void set(Warp warp, int flag, int lanes, int value) {
		int[] flags = warp.flags();
		flags[flag] = (flags[flag] & ~lanes) | (value & lanes);
	}

	/** {@code setp}: a comparison, joined with another predicate. */
	record Compare(Statement statement, int destination, int opposite, int first, int second, Comparison comparison,
			Source other, IntBinaryOperator join) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			int holds = 0;
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				if (this.comparison.holds(values[this.first + lane], values[this.second + lane])) {
					holds |= 1 << lane;
				}
			}
			int other = this.other.of(warp);
			set(warp, this.destination, lanes, this.join.applyAsInt(holds, other));
			set(warp, this.opposite, lanes, this.join.applyAsInt(~holds, other));
		}
	}

	/** {@code isspacep}: whether an address lies in a range. */
	record Within(Statement statement, int destination, int address, int begin, int bytes) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			int within = 0;
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				long offset = values[this.address + lane] - values[this.begin + lane];
				if (Long.compareUnsigned(offset, values[this.bytes + lane]) < 0) {
					within |= 1 << lane;
				}
			}
			set(warp, this.destination, lanes, within);
		}
	}

	/** Logic of predicates. */
	record Logic(Statement statement, int destination, Source first, Source second,
			IntBinaryOperator operator) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			set(warp, this.destination, lanes, this.operator.applyAsInt(this.first.of(warp), this.second.of(warp)));
		}
	}

	/** {@code selp}. */
	record Select(Statement statement, int destination, int ifTrue, int ifFalse,
			Source flag) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			int flags = this.flag.of(warp);
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				int chosen = ((flags >>> lane & 1) != 0) ? this.ifTrue : this.ifFalse;
				values[this.destination + lane] = values[chosen + lane];
			}
		}
	}

}
