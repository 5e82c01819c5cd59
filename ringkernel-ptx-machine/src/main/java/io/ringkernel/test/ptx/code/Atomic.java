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
 */
final class Atomic extends LaneInstruction {

	private final Place place;

	private final ScalarType type;

	private final int destination;

	private final int operand;

	private final int replacement;

	private final @Nullable LongBinaryOperator operator;

	/**
	 * @param operand the register of the operand, or of the value that is expected
	 * @param replacement the register of what replaces an expected value
	 */
	Atomic(Statement statement, Place place, int destination, int operand, int replacement) {
		super(statement);
		this.place = place;
		this.type = statement.type();
		this.destination = destination;
		this.operand = operand;
		this.replacement = replacement;
		this.operator = statement.has("cas") ? null : operator(statement, this.type);
	}

	private static LongBinaryOperator operator(Statement statement, ScalarType type) {
		for (String modifier : statement.opcode()) {
			switch (modifier) {
				case "add" -> {
					return addition(type);
				}
				case "exch" -> {
					return (a, b) -> b;
				}
				case "min" -> {
					return (a, b) -> Integers.isLess(type, b, a) ? b : a;
				}
				case "max" -> {
					return (a, b) -> Integers.isLess(type, a, b) ? b : a;
				}
				case "and" -> {
					return (a, b) -> a & b;
				}
				case "or" -> {
					return (a, b) -> a | b;
				}
				case "xor" -> {
					return (a, b) -> a ^ b;
				}
				case "inc" -> {
					return (a, b) -> Integers.isLess(type, a, b) ? a + 1 : 0;
				}
				case "dec" -> {
					return (a, b) -> ((int) a == 0 || Integers.isLess(type, b, a)) ? b : a - 1;
				}
				default -> {
					// Says in what order or at what scope, which is always the strongest
					// here.
				}
			}
		}
		throw statement.refused("is not supported");
	}

	private static LongBinaryOperator addition(ScalarType type) {
		return switch (type) {
			case F32 -> (a, b) -> Floats.bits(Floats.single(a) + Floats.single(b));
			case F64 -> (a, b) -> Floats.bits(Floats.real(a) + Floats.real(b));
			default -> Long::sum;
		};
	}

	@Override
	void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		int bytes = this.type.bytes();
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			long address = this.place.address(values, lane);
			ByteBuffer memory = Place.bytes(warp, lane, address, bytes, "updates");
			long operand = values[this.operand + lane];
			values[this.destination + lane] = (this.operator != null)
					? Words.update(memory, (int) address, bytes, this.operator, operand)
					: Words.compareAndSwap(memory, (int) address, bytes, operand, values[this.replacement + lane]);
		}
	}

}
