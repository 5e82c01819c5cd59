package io.ringkernel.compiler.strict;

/**
 * The exponential function as fdlibm defines it, which {@link StrictMath#exp} promises to
 * the bit: the argument is reduced to {@code k * ln 2 + r}, and the exponential of
 * {@code r} is approximated by a rational function.
 * <p>
 * After {@code e_exp.c} of fdlibm 5.3: Copyright (C) 2004 by Sun Microsystems, Inc. All
 * rights reserved. Permission to use, copy, modify, and distribute this software is
 * freely granted, provided that this notice is preserved.
 *
 * @since 0.2.0
 */
public final class StrictExponential {

	private static final double OVERFLOW = 709.782712893384;

	private static final double UNDERFLOW = -745.1332191019411;

	/** The logarithm of 2: a part with few bits, and the rest. */
	private static final double LN2_HIGH = 0.6931471803691238;

	private static final double LN2_LOW = 1.9082149292705877E-10;

	private static final double INVERSE_LN2 = 1.4426950408889634;

	private static final double P1 = 0.16666666666666602;

	private static final double P2 = -0.0027777777777015593;

	private static final double P3 = 6.613756321437934E-5;

	private static final double P4 = -1.6533902205465252E-6;

	private static final double P5 = 4.1381367970572385E-8;

	private static final double HALF_LN2 = 0x1.62e42ffffffffp-2;

	private static final double THREE_HALVES_LN2 = 0x1.0a2b2p0;

	private static final double TINY = 0x1p-28;

	/** A smaller exponent is not that of a normal number. */
	private static final int LEAST_EXPONENT = -1021;

	private static final int DISTANCE = 1000;

	private static final double SCALE = 0x1p-1000;

	private static final int FRACTION_BITS = 52;

	private StrictExponential() {
	}

	/**
	 * The exponential of a number.
	 * @param x the number
	 * @return what {@link StrictMath#exp} returns
	 */
	public static double exp(double x) {
		if (Double.isNaN(x)) {
			return x;
		}
		if (x > OVERFLOW) {
			return Double.POSITIVE_INFINITY;
		}
		if (x < UNDERFLOW) {
			return 0;
		}
		double magnitude = Math.abs(x);
		if (magnitude < TINY) {
			return 1 + x;
		}
		int k = 0;
		if (magnitude > HALF_LN2) {
			k = (magnitude < THREE_HALVES_LN2) ? ((x < 0) ? -1 : 1) : (int) (INVERSE_LN2 * x + ((x < 0) ? -0.5 : 0.5));
		}
		return scaled(x - k * LN2_HIGH, k * LN2_LOW, k);
	}

	/** The exponential of {@code high - low}, times 2 to the power of k. */
	private static double scaled(double high, double low, int k) {
		double r = high - low;
		double t = r * r;
		double c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
		if (k == 0) {
			return 1 - ((r * c) / (c - 2) - r);
		}
		double y = 1 - ((low - (r * c) / (2 - c)) - high);
		if (k >= LEAST_EXPONENT) {
			return withExponent(y, k);
		}
		return withExponent(y, k + DISTANCE) * SCALE;
	}

	private static double withExponent(double y, int k) {
		return Double.longBitsToDouble(Double.doubleToRawLongBits(y) + ((long) k << FRACTION_BITS));
	}

}
