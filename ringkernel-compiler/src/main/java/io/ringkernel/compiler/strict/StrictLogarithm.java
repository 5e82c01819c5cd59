package io.ringkernel.compiler.strict;

/**
 * Logarithms as fdlibm defines them, which {@link StrictMath} promises to the bit: the
 * argument is {@code 2^k * (1 + f)}, and the logarithm of {@code 1 + f} is approximated
 * by a polynomial of {@code f / (2 + f)}.
 * <p>
 * After {@code e_log.c}, {@code e_log10.c} and {@code s_log1p.c} of fdlibm 5.3: Copyright
 * (C) 1993 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy,
 * modify, and distribute this software is freely granted, provided that this notice is
 * preserved.
 *
 * @since 0.2.0
 */
public final class StrictLogarithm {

	/** The logarithm of 2: a part with few bits, and the rest. */
	private static final double LN2_HIGH = 0.6931471803691238;

	private static final double LN2_LOW = 1.9082149292705877E-10;

	private static final double L1 = 0.6666666666666735;

	private static final double L2 = 0.3999999999940942;

	private static final double L3 = 0.2857142874366239;

	private static final double L4 = 0.22222198432149784;

	private static final double L5 = 0.1818357216161805;

	private static final double L6 = 0.15313837699209373;

	private static final double L7 = 0.14798198605116586;

	private static final double INVERSE_LN10 = 0x1.bcb7b1526e50ep-2;

	/** The logarithm of 2 to the base of 10: a part with few bits, and the rest. */
	private static final double LOG10_2_HIGH = 0x1.34413509f6p-2;

	private static final double LOG10_2_LOW = 0x1.9fef311f12b36p-42;

	private static final double THIRD = 0.3333333333333333;

	private static final int SUBNORMAL_BITS = 54;

	/** Added to a fraction, it carries if that is at least the root of 2. */
	private static final int ROOT_CARRIES = 0x95f64;

	private StrictLogarithm() {
	}

	/** What {@link StrictMath#log} returns. */
	public static double log(double x) {
		if (Double.isNaN(x) || x < 0) {
			return Double.NaN;
		}
		if (x == 0) {
			return Double.NEGATIVE_INFINITY;
		}
		if (x == Double.POSITIVE_INFINITY) {
			return x;
		}
		return (x < Double.MIN_NORMAL) ? ofNormal(x * 0x1p54, -SUBNORMAL_BITS) : ofNormal(x, 0);
	}

	/** The logarithm of a normal number times 2 to the power of an exponent. */
	private static double ofNormal(double x, int exponent) {
		long bits = Double.doubleToRawLongBits(x);
		int upper = (int) (bits >> Integer.SIZE);
		int fraction = upper & Words.FRACTION;
		int carry = (fraction + ROOT_CARRIES) & (Words.FRACTION + 1);
		int k = exponent + (upper >> Words.FRACTION_BITS) - Words.BIAS + (carry >> Words.FRACTION_BITS);
		int scaled = fraction | (carry ^ (Words.BIAS << Words.FRACTION_BITS));
		double f = Double.longBitsToDouble(((long) scaled << Integer.SIZE) | (bits & 0xffffffffL)) - 1;
		return ((Words.FRACTION & (2 + fraction)) < 3) ? nearOne(f, k) : approximated(f, k, fraction);
	}

	/** If the distance from 1 is less than 2 to the power of -20. */
	private static double nearOne(double f, int k) {
		if (f == 0) {
			return (k == 0) ? 0 : k * LN2_HIGH + k * LN2_LOW;
		}
		double r = f * f * (0.5 - THIRD * f);
		return (k == 0) ? f - r : k * LN2_HIGH - ((r - k * LN2_LOW) - f);
	}

	private static double approximated(double f, int k, int fraction) {
		double s = f / (2 + f);
		double z = s * s;
		double w = z * z;
		double even = w * (L2 + w * (L4 + w * L6));
		double odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
		double r = odd + even;
		if (((fraction - 0x6147a) | (0x6b851 - fraction)) > 0) {
			double half = 0.5 * f * f;
			return (k == 0) ? f - (half - s * (half + r))
					: k * LN2_HIGH - ((half - (s * (half + r) + k * LN2_LOW)) - f);
		}
		return (k == 0) ? f - s * (f - r) : k * LN2_HIGH - ((s * (f - r) - k * LN2_LOW) - f);
	}

	/** What {@link StrictMath#log10} returns. */
	public static double log10(double x) {
		if (!(x > 0) || x == Double.POSITIVE_INFINITY) {
			return log(x);
		}
		boolean isSubnormal = x < Double.MIN_NORMAL;
		double scaled = isSubnormal ? x * 0x1p54 : x;
		int high = Words.high(scaled);
		int k = (isSubnormal ? -SUBNORMAL_BITS : 0) + (high >> Words.FRACTION_BITS) - Words.BIAS;
		int carry = k >>> (Integer.SIZE - 1);
		double fraction = Words.withHigh(scaled,
				(high & Words.FRACTION) | ((Words.BIAS - carry) << Words.FRACTION_BITS));
		int y = k + carry;
		return (y * LOG10_2_LOW + INVERSE_LN10 * log(fraction)) + y * LOG10_2_HIGH;
	}

	/** What {@link StrictMath#log1p} returns. */
	public static double log1p(double x) {
		int high = Words.high(x);
		int magnitude = high & Words.MAGNITUDE;
		if (x <= -1) {
			return (x == -1) ? Double.NEGATIVE_INFINITY : Double.NaN;
		}
		if (magnitude < 0x3e200000) {
			return (magnitude < 0x3c900000) ? x : x - x * x * 0.5;
		}
		if (magnitude >= Words.INFINITY) {
			return x;
		}
		if (high < 0x3fda827a && (high > 0 || high <= 0xbfd2bec3)) {
			return besideOne(x, 0, 0, false);
		}
		boolean isSmall = high < 0x43400000;
		double u = isSmall ? 1 + x : x;
		int k = (Words.high(u) >> Words.FRACTION_BITS) - Words.BIAS;
		double rest = isSmall ? ((k > 0) ? 1 - (u - x) : x - (u - 1)) / u : 0;
		int fraction = Words.high(u) & Words.FRACTION;
		boolean isBelow = fraction < 0x6a09e;
		u = Words.withHigh(u, fraction | (isBelow ? Words.BIAS : Words.BIAS - 1) << Words.FRACTION_BITS);
		boolean isNear = (isBelow ? fraction : (Words.FRACTION + 1 - fraction) >> 2) == 0;
		return besideOne(u - 1, rest, isBelow ? k : k + 1, isNear);
	}

	/** The logarithm of {@code 1 + f}, times 2 to the power of k, and a rest. */
	private static double besideOne(double f, double rest, int k, boolean isNear) {
		double half = 0.5 * f * f;
		if (isNear) {
			if (f == 0) {
				return (k == 0) ? 0 : k * LN2_HIGH + (rest + k * LN2_LOW);
			}
			double r = half * (1 - 0.6666666666666666 * f);
			return (k == 0) ? f - r : k * LN2_HIGH - ((r - (k * LN2_LOW + rest)) - f);
		}
		double s = f / (2 + f);
		double z = s * s;
		double r = z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + z * (L6 + z * L7))))));
		return (k == 0) ? f - (half - s * (half + r))
				: k * LN2_HIGH - ((half - (s * (half + r) + (k * LN2_LOW + rest))) - f);
	}

}
