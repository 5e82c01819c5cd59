package io.ringkernel.test.ptx.arithmetic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic of integers. Operands may have anything in the bits above their type, and so
 * may results: what depends on these bits extends its operands first.
 *
 * @since 0.2.0
 */
public final class Integers {

	private Integers() {
	}

	/** How far a value is shifted so that its highest bit is that of a {@code long}. */
	public static int shift(ScalarType type) {
		return Long.SIZE - type.bits();
	}

	/** The lowest bits of a value, fewer than 64. */
	public static long low(long value, int bits) {
		return value & ((1L << bits) - 1);
	}

	/** A value with the bits above its type as its type asks for. */
	public static long extend(ScalarType type, long value) {
		int shift = shift(type);
		return type.isSigned() ? value << shift >> shift : value << shift >>> shift;
	}

	public static @Nullable LongUnaryOperator unary(Statement statement) {
		ScalarType type = statement.type();
		return switch (statement.operation()) {
			case "neg" -> (value) -> -value;
			case "abs" -> (value) -> Math.abs(extend(type, value));
			case "not" -> (value) -> ~value;
			case "cnot" -> (value) -> (extend(type, value) == 0) ? 1 : 0;
			default -> BitMath.unary(statement);
		};
	}

	public static @Nullable LongBinaryOperator binary(Statement statement) {
		ScalarType type = statement.type();
		return switch (statement.operation()) {
			case "add" -> wrapping(statement, Long::sum);
			case "sub" -> wrapping(statement, (a, b) -> a - b);
			case "mul" -> multiplication(statement);
			case "div" -> (type == ScalarType.U64) ? Long::divideUnsigned : (a, b) -> extend(type, a) / extend(type, b);
			case "rem" ->
				(type == ScalarType.U64) ? Long::remainderUnsigned : (a, b) -> extend(type, a) % extend(type, b);
			case "min" -> (a, b) -> isLess(type, a, b) ? a : b;
			case "max" -> (a, b) -> isLess(type, a, b) ? b : a;
			case "and" -> (a, b) -> a & b;
			case "or" -> (a, b) -> a | b;
			case "xor" -> (a, b) -> a ^ b;
			case "shl" -> (a, b) -> left(type, a, b);
			case "shr" -> (a, b) -> right(type, a, b);
			default -> BitMath.binary(statement);
		};
	}

	public static @Nullable TernaryOperator ternary(Statement statement) {
		ScalarType type = statement.type();
		return switch (statement.operation()) {
			case "mad" -> {
				LongBinaryOperator product = multiplication(statement);
				yield (a, b, c) -> product.applyAsLong(a, b) + c;
			}
			case "sad" -> (a, b, c) -> c
					+ (isLess(type, a, b) ? extend(type, b) - extend(type, a) : extend(type, a) - extend(type, b));
			default -> BitMath.ternary(statement);
		};
	}

	private static LongBinaryOperator wrapping(Statement statement, LongBinaryOperator operator) {
		if (statement.has("sat") || statement.has("cc")) {
			throw statement.refused("is not supported with saturation or carry");
		}
		return operator;
	}

	private static LongBinaryOperator multiplication(Statement statement) {
		ScalarType type = statement.type();
		if (statement.has("wide")) {
			return (a, b) -> extend(type, a) * extend(type, b);
		}
		if (!statement.has("hi")) {
			return (a, b) -> a * b;
		}
		return switch (type) {
			case S64 -> Math::multiplyHigh;
			case U64 -> Integers::multiplyHighUnsigned;
			default -> (a, b) -> (extend(type, a) * extend(type, b)) >> type.bits();
		};
	}

	static long multiplyHighUnsigned(long a, long b) {
		return Math.multiplyHigh(a, b) + ((a >> (Long.SIZE - 1)) & b) + ((b >> (Long.SIZE - 1)) & a);
	}

	public static boolean isLess(ScalarType type, long a, long b) {
		int shift = shift(type);
		return type.isSigned() ? a << shift < b << shift : Long.compareUnsigned(a << shift, b << shift) < 0;
	}

	/**
	 * Shifts by 32 bits or more leave nothing of 32 bits: PTX does not mask the count.
	 */
	private static long left(ScalarType type, long value, long count) {
		long bits = Integer.toUnsignedLong((int) count);
		return (bits >= type.bits()) ? 0 : value << bits;
	}

	private static long right(ScalarType type, long value, long count) {
		long bits = Math.min(Integer.toUnsignedLong((int) count), type.bits());
		long extended = extend(type, value);
		if (type.isSigned()) {
			return extended >> Math.min(bits, Long.SIZE - 1);
		}
		return (bits == Long.SIZE) ? 0 : extended >>> bits;
	}

}
