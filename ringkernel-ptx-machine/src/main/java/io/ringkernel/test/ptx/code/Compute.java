package io.ringkernel.test.ptx.code;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

import io.ringkernel.test.ptx.arithmetic.BitMath;
import io.ringkernel.test.ptx.arithmetic.TernaryOperator;
import io.ringkernel.test.ptx.machine.PtxFault.Kind;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/** Instructions that make a value of values. */
final class Compute {

	private Compute() {
	}

	/** Of one. */
	record Unary(Statement statement, int destination, int source,
			LongUnaryOperator operator) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				values[this.destination + lane] = this.operator.applyAsLong(values[this.source + lane]);
			}
		}
	}

	/** Of two. */
	record Binary(Statement statement, int destination, int first, int second,
			LongBinaryOperator operator) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				values[this.destination + lane] = apply(warp, lane, values[this.first + lane],
						values[this.second + lane]);
			}
		}

		private long apply(Warp warp, int lane, long first, long second) {
			try {
				return this.operator.applyAsLong(first, second);
			}
			catch (ArithmeticException ex) {
				throw warp.fault(Kind.UNSPECIFIED, lane, "divides by zero");
			}
		}
	}

	/** Of three. */
	record Ternary(Statement statement, int destination, int first, int second, int third,
			TernaryOperator operator) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				values[this.destination + lane] = this.operator.apply(values[this.first + lane],
						values[this.second + lane], values[this.third + lane]);
			}
		}
	}

	/** Bits of a value, in the place of some of another. */
	record Insert(Statement statement, int destination, int[] sources, ScalarType type) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				values[this.destination + lane] = BitMath.insert(this.type, values[this.sources[0] + lane],
						values[this.sources[1] + lane], values[this.sources[2] + lane], values[this.sources[3] + lane]);
			}
		}
	}

}
