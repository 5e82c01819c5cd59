package io.ringkernel.compiler.strict;

/**
 * The exponential functions as fdlibm defines them, which {@link StrictMath} promises to
 * the bit: the argument is reduced to {@code k * ln 2 + r}, and the exponential of
 * {@code r} is approximated by a rational function.
 * <p>
 * After {@code e_exp.c} and {@code s_expm1.c} of fdlibm 5.3: Copyright (C) 2004 by Sun
 * Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute
 * this software is freely granted, provided that this notice is preserved.
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

	private static final double Q1 = -0x1.11111111110f4p-5;

	private static final double Q2 = 0x1.a01a019fe5585p-10;

	private static final double Q3 = -0x1.4ce199eaadbb7p-14;

	private static final double Q4 = 0x1.0cfca86e65239p-18;

	private static final double Q5 = -0x1.afdb76e09c32dp-23;

	private static final int HALF_LN2_HIGH = 0x3fd62e42;

	private static final int THREE_HALVES_LN2_HIGH = 0x3ff0a2b2;

	/** The upper half of 56 times the logarithm of 2. */
	private static final int LARGE_HIGH = 0x4043687a;

	private static final int LARGE_POWER = 56;

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

	/** What {@link StrictMath#exp} returns. */
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

	/** What {@link StrictMath#expm1} returns. */
	public static double expm1(double x) {
		double magnitude = Math.abs(x);
		if (Double.isNaN(x) || magnitude < 0x1p-54) {
			return x;
		}
		if (x > OVERFLOW) {
			return Double.POSITIVE_INFINITY;
		}
		if (x < 0 && Words.high(magnitude) >= LARGE_HIGH) {
			return -1;
		}
		int k = 0;
		if (Words.high(magnitude) > HALF_LN2_HIGH) {
			k = (Words.high(magnitude) < THREE_HALVES_LN2_HIGH) ? ((x < 0) ? -1 : 1)
					: (int) (INVERSE_LN2 * x + ((x < 0) ? -0.5 : 0.5));
		}
		double high = x - k * LN2_HIGH;
		double low = k * LN2_LOW;
		double r = high - low;
		return lessOne(r, (high - r) - low, k);
	}

	/** The exponential of {@code x + rest}, times 2 to the power of k, less 1. */
	private static double lessOne(double x, double rest, int k) {
		double half = 0.5 * x;
		double square = x * half;
		double r = 1 + square * (Q1 + square * (Q2 + square * (Q3 + square * (Q4 + square * Q5))));
		double t = 3 - r * half;
		double e = square * ((r - t) / (6 - x * t));
		if (k == 0) {
			return x - (x * e - square);
		}
		e = (x * (e - rest) - rest) - square;
		if (k == -1) {
			return 0.5 * (x - e) - 0.5;
		}
		if (k == 1) {
			return (x < -0.25) ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e);
		}
		if (k <= -2 || k > LARGE_POWER) {
			return Words.scaled(1 - (e - x), k) - 1;
		}
		double inverse = Words.of((Words.BIAS - k) << Words.FRACTION_BITS);
		return Words.scaled((k < 20) ? (1 - inverse) - (e - x) : x - (e + inverse) + 1, k);
	}

}
