package io.ringkernel.test.ptx.arithmetic;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;

import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/**
 * What {@code cvt} does.
 *
 * @since 0.2.0
 */
public final class Conversions {

	private static final double TWO_TO_63 = 0x1p63;

	private Conversions() {
	}

	public static LongUnaryOperator of(Statement statement) {
		ScalarType from = statement.type();
		ScalarType to = ScalarType.named(statement.opcode().get(statement.opcode().size() - 2));
		if (to == null) {
			throw statement.refused("names one type alone");
		}
		if (statement.has("ftz")) {
			throw statement.refused("is not supported with .ftz");
		}
		LongUnaryOperator conversion = conversion(statement, to, from);
		return (statement.has("sat") && to == ScalarType.F32)
				? (value) -> Floats.saturated(conversion.applyAsLong(value)) : conversion;
	}

	private static LongUnaryOperator conversion(Statement statement, ScalarType to, ScalarType from) {
		if (from.isFloat()) {
			return to.isFloat() ? realToReal(statement, to, from) : realToInteger(statement, to, from);
		}
		return to.isFloat() ? integerToReal(statement, to, from) : integerToInteger(statement, to, from);
	}

	private static LongUnaryOperator integerToInteger(Statement statement, ScalarType to, ScalarType from) {
		if (!statement.has("sat")) {
			return (value) -> Integers.extend(to, Integers.extend(from, value));
		}
		BigInteger least = to.isSigned() ? BigInteger.ONE.shiftLeft(to.bits() - 1).negate() : BigInteger.ZERO;
		BigInteger most = BigInteger.ONE.shiftLeft(to.isSigned() ? to.bits() - 1 : to.bits()).subtract(BigInteger.ONE);
		return (value) -> exact(from, value).max(least).min(most).longValue();
	}

	private static BigInteger exact(ScalarType type, long value) {
		long extended = Integers.extend(type, value);
		return (type == ScalarType.U64 && extended < 0)
				? BigInteger.valueOf(extended).add(BigInteger.ONE.shiftLeft(Long.SIZE)) : BigInteger.valueOf(extended);
	}

	private static LongUnaryOperator integerToReal(Statement statement, ScalarType to, ScalarType from) {
		RoundingMode mode = mode(statement);
		if (from != ScalarType.U64 && mode == RoundingMode.HALF_EVEN) {
			return (to == ScalarType.F32) ? (value) -> Floats.bits((float) Integers.extend(from, value))
					: (value) -> Floats.bits((double) Integers.extend(from, value));
		}
		return (value) -> rounded(to, new BigDecimal(exact(from, value)), mode);
	}

	private static LongUnaryOperator realToReal(Statement statement, ScalarType to, ScalarType from) {
		if (to == from) {
			DoubleUnaryOperator rounding = integral(statement);
			return (to == ScalarType.F32) ? (value) -> Floats.bits((float) rounding.applyAsDouble(Floats.single(value)))
					: (value) -> Floats.bits(rounding.applyAsDouble(Floats.real(value)));
		}
		if (to == ScalarType.F64) {
			return (value) -> Floats.bits((double) Floats.single(value));
		}
		RoundingMode mode = mode(statement);
		return (value) -> {
			double real = Floats.real(value);
			boolean rounds = mode != RoundingMode.HALF_EVEN && real != 0 && Double.isFinite(real);
			return rounds ? rounded(to, new BigDecimal(real), mode) : Floats.bits((float) real);
		};
	}

	/** Rounds to the nearest, and on to the neighbour if that is on the wrong side. */
	private static long rounded(ScalarType to, BigDecimal exact, RoundingMode mode) {
		boolean single = to == ScalarType.F32;
		double nearest = single ? exact.floatValue() : exact.doubleValue();
		int side = Double.isInfinite(nearest) ? (int) Math.signum(nearest) : new BigDecimal(nearest).compareTo(exact);
		boolean down = mode == RoundingMode.FLOOR || (mode == RoundingMode.DOWN && exact.signum() > 0);
		boolean up = mode == RoundingMode.CEILING || (mode == RoundingMode.DOWN && exact.signum() < 0);
		if (side > 0 && down) {
			nearest = single ? Math.nextDown((float) nearest) : Math.nextDown(nearest);
		}
		else if (side < 0 && up) {
			nearest = single ? Math.nextUp((float) nearest) : Math.nextUp(nearest);
		}
		return single ? Floats.bits((float) nearest) : Floats.bits(nearest);
	}

	private static LongUnaryOperator realToInteger(Statement statement, ScalarType to, ScalarType from) {
		DoubleUnaryOperator rounding = integral(statement);
		// A NaN is 0, unless one of both types has 64 bits: then it is the highest bit
		// alone.
		boolean wide = from == ScalarType.F64 || to.bits() == Long.SIZE;
		long nan = wide ? 1L << (to.bits() - 1) : 0;
		return (value) -> {
			double real = (from == ScalarType.F32) ? Floats.single(value) : Floats.real(value);
			return Double.isNaN(real) ? nan : clamped(to, rounding.applyAsDouble(real));
		};
	}

	private static long clamped(ScalarType to, double value) {
		if (to.isSigned()) {
			long most = Long.MAX_VALUE >>> Integers.shift(to);
			return Math.max(-most - 1, Math.min(most, (long) value));
		}
		if (to.bits() < Long.SIZE) {
			return Math.max(0, Math.min((1L << to.bits()) - 1, (long) value));
		}
		if (value < TWO_TO_63) {
			return Math.max(0, (long) value);
		}
		return (value >= 2 * TWO_TO_63) ? -1 : (long) (value - TWO_TO_63) + Long.MIN_VALUE;
	}

	private static DoubleUnaryOperator integral(Statement statement) {
		if (statement.has("rni")) {
			return Math::rint;
		}
		if (statement.has("rmi")) {
			return Math::floor;
		}
		if (statement.has("rpi")) {
			return Math::ceil;
		}
		if (statement.has("rzi")) {
			return (value) -> (value < 0) ? Math.ceil(value) : Math.floor(value);
		}
		return (value) -> value;
	}

	private static RoundingMode mode(Statement statement) {
		if (statement.has("rz")) {
			return RoundingMode.DOWN;
		}
		if (statement.has("rm")) {
			return RoundingMode.FLOOR;
		}
		return statement.has("rp") ? RoundingMode.CEILING : RoundingMode.HALF_EVEN;
	}

}
