package io.ringkernel.test.ptx.code;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

import io.ringkernel.test.ptx.arithmetic.BitMath;
import io.ringkernel.test.ptx.arithmetic.TernaryOperator;
import io.ringkernel.test.ptx.machine.PtxFault.Kind;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Instructions that make a value of values.
 */
final class Compute {

	private Compute() {
	}

	/** Of one. */
	static final class Unary extends LaneInstruction {

		private final int destination;

		private final int source;

		private final LongUnaryOperator operator;

		Unary(Statement statement, int destination, int source, LongUnaryOperator operator) {
			super(statement);
			this.destination = destination;
			this.source = source;
			this.operator = operator;
		}

		@Override
		void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				values[this.destination + lane] = this.operator.applyAsLong(values[this.source + lane]);
			}
		}

	}

	/** Of two. */
	static final class Binary extends LaneInstruction {

		private final int destination;

		private final int first;

		private final int second;

		private final LongBinaryOperator operator;

		Binary(Statement statement, int destination, int first, int second, LongBinaryOperator operator) {
			super(statement);
			this.destination = destination;
			this.first = first;
			this.second = second;
			this.operator = operator;
		}

		@Override
		void execute(Warp warp, int lanes) {
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
	static final class Ternary extends LaneInstruction {

		private final int destination;

		private final int first;

		private final int second;

		private final int third;

		private final TernaryOperator operator;

		Ternary(Statement statement, int destination, int first, int second, int third, TernaryOperator operator) {
			super(statement);
			this.destination = destination;
			this.first = first;
			this.second = second;
			this.third = third;
			this.operator = operator;
		}

		@Override
		void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				values[this.destination + lane] = this.operator.apply(values[this.first + lane],
						values[this.second + lane], values[this.third + lane]);
			}
		}

	}

	/** Bits of a value, in the place of some of another. */
	static final class Insert extends LaneInstruction {

		private final int destination;

		private final int[] sources;

		private final ScalarType type;

		Insert(Statement statement, int destination, int[] sources, ScalarType type) {
			super(statement);
			this.destination = destination;
			this.sources = sources;
			this.type = type;
		}

		@Override
		void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				values[this.destination + lane] = BitMath.insert(this.type, values[this.sources[0] + lane],
						values[this.sources[1] + lane], values[this.sources[2] + lane], values[this.sources[3] + lane]);
			}
		}

	}

}
