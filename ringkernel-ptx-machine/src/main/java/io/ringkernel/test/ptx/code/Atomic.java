package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;
import java.util.function.LongBinaryOperator;

import io.ringkernel.test.ptx.arithmetic.Floats;
import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Changes a word of memory at once; the lanes of a warp one after another.
 *
 * @param operand the register of the operand, or of the value that is expected
 * @param replacement the register of what replaces an expected value
 * @param operator what changes the word; {@code null} if an expected value is replaced
 */
record Atomic(Statement statement, Place place, int bytes, int destination, int operand, int replacement,
		@Nullable LongBinaryOperator operator) implements LaneInstruction {

	static Atomic of(Statement statement, Place place, int destination, int operand, int replacement) {
		return new Atomic(statement, place, statement.type().bytes(), destination, operand, replacement,
				statement.has("cas") ? null : operator(statement));
	}

	/** Other modifiers say in what order or at what scope: always the strongest here. */
	private static LongBinaryOperator operator(Statement statement) {
		for (String modifier : statement.opcode()) {
			LongBinaryOperator operator = operator(modifier, statement.type());
			if (operator != null) {
				return operator;
			}
		}
		throw statement.refused("is not supported");
	}

	private static @Nullable LongBinaryOperator operator(String modifier, ScalarType type) {
		return switch (modifier) {
			case "add" -> addition(type);
			case "exch" -> (a, b) -> b;
			case "min" -> (a, b) -> Integers.isLess(type, b, a) ? b : a;
			case "max" -> (a, b) -> Integers.isLess(type, a, b) ? b : a;
			case "and" -> (a, b) -> a & b;
			case "or" -> (a, b) -> a | b;
			case "xor" -> (a, b) -> a ^ b;
			case "inc" -> (a, b) -> Integers.isLess(type, a, b) ? a + 1 : 0;
			case "dec" -> (a, b) -> ((int) a == 0 || Integers.isLess(type, b, a)) ? b : a - 1;
			default -> null;
		};
	}

	private static LongBinaryOperator addition(ScalarType type) {
		return switch (type) {
			case F32 -> (a, b) -> Floats.bits(Floats.single(a) + Floats.single(b));
			case F64 -> (a, b) -> Floats.bits(Floats.real(a) + Floats.real(b));
			default -> Long::sum;
		};
	}

	@Override
	public void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			long address = this.place.address(values, lane);
			ByteBuffer memory = Place.bytes(warp, lane, address, this.bytes, "updates");
			long operand = values[this.operand + lane];
			values[this.destination + lane] = (this.operator != null)
					? Words.update(memory, (int) address, this.bytes, this.operator, operand)
					: Words.compareAndSwap(memory, (int) address, this.bytes, operand, values[this.replacement + lane]);
		}
	}

}
