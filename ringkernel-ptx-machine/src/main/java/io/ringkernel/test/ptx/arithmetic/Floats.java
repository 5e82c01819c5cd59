package io.ringkernel.test.ptx.arithmetic;

import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic of IEEE 754, rounded to the nearest. PTX makes one NaN of all in single
 * precision; in double precision it says nothing of their bits.
 *
 * @since 0.2.0
 */
public final class Floats {

	/** The NaN of single precision. */
	static final int NAN = 0x7fffffff;

	private static final List<String> REFUSED = List.of("ftz", "rz", "rm", "rp", "rna", "approx", "full", "relu");

	private Floats() {
	}

	/** A {@code float} of the bits of a register. */
	public static float single(long bits) {
		return Float.intBitsToFloat((int) bits);
	}

	public static long bits(float value) {
		return Float.isNaN(value) ? NAN : Float.floatToRawIntBits(value);
	}

	public static long bits(double value) {
		return Double.doubleToRawLongBits(value);
	}

	public static double real(long bits) {
		return Double.longBitsToDouble(bits);
	}

	private static boolean isSingle(Statement statement) {
		for (String modifier : REFUSED) {
			if (statement.has(modifier)) {
				throw statement.refused("is not supported with ." + modifier);
			}
		}
		return statement.type() == ScalarType.F32;
	}

	public static @Nullable LongUnaryOperator unary(Statement statement) {
		boolean single = isSingle(statement);
		LongUnaryOperator operator = switch (statement.operation()) {
			case "neg" -> single ? (a) -> (int) a ^ Integer.MIN_VALUE : (a) -> a ^ Long.MIN_VALUE;
			case "abs" -> single ? (a) -> (int) a & Integer.MAX_VALUE : (a) -> a & Long.MAX_VALUE;
			// The square root of a double, rounded twice, is the one rounded once.
			case "sqrt" -> single ? (a) -> bits((float) Math.sqrt(single(a))) : (a) -> bits(Math.sqrt(real(a)));
			case "rcp" -> single ? (a) -> bits(1 / single(a)) : (a) -> bits(1 / real(a));
			default -> null;
		};
		return (operator != null && statement.has("sat")) ? (a) -> saturated(operator.applyAsLong(a)) : operator;
	}

	public static @Nullable LongBinaryOperator binary(Statement statement) {
		boolean single = isSingle(statement);
		boolean keepsNan = statement.has("NaN");
		LongBinaryOperator operator = switch (statement.operation()) {
			case "add" -> single ? (a, b) -> bits(single(a) + single(b)) : (a, b) -> bits(real(a) + real(b));
			case "sub" -> single ? (a, b) -> bits(single(a) - single(b)) : (a, b) -> bits(real(a) - real(b));
			case "mul" -> single ? (a, b) -> bits(single(a) * single(b)) : (a, b) -> bits(real(a) * real(b));
			case "div" -> single ? (a, b) -> bits(single(a) / single(b)) : (a, b) -> bits(real(a) / real(b));
			case "min" -> single ? (a, b) -> bits((float) least(single(a), single(b), keepsNan))
					: (a, b) -> bits(least(real(a), real(b), keepsNan));
			case "max" -> single ? (a, b) -> bits((float) -least(-single(a), -single(b), keepsNan))
					: (a, b) -> bits(-least(-real(a), -real(b), keepsNan));
			case "copysign" -> single ? (a, b) -> ((int) b & Integer.MAX_VALUE) | ((int) a & Integer.MIN_VALUE)
					: (a, b) -> (b & Long.MAX_VALUE) | (a & Long.MIN_VALUE);
			default -> null;
		};
		return (operator != null && statement.has("sat")) ? (a, b) -> saturated(operator.applyAsLong(a, b)) : operator;
	}

	public static @Nullable TernaryOperator ternary(Statement statement) {
		boolean single = isSingle(statement);
		TernaryOperator operator = switch (statement.operation()) {
			case "fma", "mad" -> single ? (a, b, c) -> bits(Math.fma(single(a), single(b), single(c)))
					: (a, b, c) -> bits(Math.fma(real(a), real(b), real(c)));
			default -> null;
		};
		return (operator != null && statement.has("sat")) ? (a, b, c) -> saturated(operator.apply(a, b, c)) : operator;
	}

	/** A NaN loses against a number, unless it is to be kept. */
	private static double least(double a, double b, boolean keepsNan) {
		if (!keepsNan) {
			if (Double.isNaN(a)) {
				return b;
			}
			if (Double.isNaN(b)) {
				return a;
			}
		}
		return Math.min(a, b);
	}

	/** Single precision alone saturates: to 0 to 1, with NaN as 0. */
	static long saturated(long bits) {
		float value = single(bits);
		return (value > 0) ? bits(Math.min(value, 1)) : 0;
	}

}
