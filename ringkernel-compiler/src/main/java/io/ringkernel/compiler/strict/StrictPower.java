package io.ringkernel.compiler.strict;

/**
 * A power as fdlibm defines it, which {@link StrictMath#pow} promises to the bit: the
 * logarithm to the base of 2 in two parts, times the exponent, and 2 to the power of
 * that.
 * <p>
 * After {@code e_pow.c} of fdlibm 5.3: Copyright (C) 1993, 2004 by Sun Microsystems, Inc.
 * All rights reserved. Permission to use, copy, modify, and distribute this software is
 * freely granted, provided that this notice is preserved.
 *
 * @since 0.2.0
 */
public final class StrictPower {

	private static final double INVERSE_LN2 = 0x1.71547652b82fep0;

	private static final double INVERSE_LN2_HIGH = 0x1.715476p0;

	private static final double INVERSE_LN2_LOW = 0x1.4ae0bf85ddf44p-26;

	/** Two thirds of that. */
	private static final double FACTOR = 0x1.ec709dc3a03fdp-1;

	private static final double FACTOR_HIGH = 0x1.ec709ep-1;

	private static final double FACTOR_LOW = -0x1.e2fe0145b01f5p-28;

	/** The logarithm of one and a half. */
	private static final double BASE_HIGH = 0x1.2b8034p-1;

	private static final double BASE_LOW = 0x1.cfdeb43cfd006p-27;

	private static final double L1 = 0x1.3333333333303p-1;

	private static final double L2 = 0x1.b6db6db6fabffp-2;

	private static final double L3 = 0x1.55555518f264dp-2;

	private static final double L4 = 0x1.17460a91d4101p-2;

	private static final double L5 = 0x1.d864a93c9db65p-3;

	private static final double L6 = 0x1.a7e284a454eefp-3;

	private static final double P1 = 0x1.555555555553ep-3;

	private static final double P2 = -0x1.6c16c16bebd93p-9;

	private static final double P3 = 0x1.1566aaf25de2cp-14;

	private static final double P4 = -0x1.bbd41c5d26bf1p-20;

	private static final double P5 = 0x1.6376972bea4d0p-25;

	private static final double LN2 = 0x1.62e42fefa39efp-1;

	private static final double LN2_HIGH = 0x1.62e43p-1;

	private static final double LN2_LOW = -0x1.05c610ca86c39p-29;

	/** What is less than half of the last bit of the greatest number. */
	private static final double OVERFLOW_REST = 8.008566259537294e-17;

	private static final int OVERFLOW = 1024;

	private static final int UNDERFLOW = -1075;

	private static final int HIDDEN = 1 << Words.FRACTION_BITS;

	private static final int DISTANCE = 1000;

	private StrictPower() {
	}

	/** What {@link StrictMath#pow} returns. */
	public static double pow(double x, double y) {
		if (y == 0) {
			return 1;
		}
		if (Double.isNaN(x) || Double.isNaN(y)) {
			return Double.NaN;
		}
		if (y == 2) {
			return x * x;
		}
		if (y == 0.5 && x >= -Double.MAX_VALUE) {
			return Math.sqrt(x + 0.0);
		}
		if (Math.abs(y) == 1) {
			return (y == 1) ? x : 1 / x;
		}
		return (Math.abs(y) == Double.POSITIVE_INFINITY) ? ofInfinity(Math.abs(x), y) : ofFinite(x, y);
	}

	private static double ofInfinity(double x, double y) {
		return (x == 1) ? Double.NaN : ((x > 1) == (y > 0)) ? Double.POSITIVE_INFINITY : 0;
	}

	private static double ofFinite(double x, double y) {
		double base = Math.abs(x);
		boolean isNegative = Words.high(x) < 0;
		double sign = (isNegative && isOdd(Math.abs(y))) ? -1 : 1;
		if (base == 0 || base == Double.POSITIVE_INFINITY) {
			return sign * ((y < 0) ? 1 / base : base);
		}
		if (isNegative && !isWhole(Math.abs(y))) {
			return Double.NaN;
		}
		if (base == 1) {
			return sign;
		}
		if (Math.abs(y) <= 0x1.00000ffffffffp31) {
			return sign * ofNormal(base, y);
		}
		if (base < 0x1.fffffp-1 || base > 0x1.00000ffffffffp0) {
			return sign * (((base > 1) == (y > 0)) ? Double.POSITIVE_INFINITY : 0);
		}
		double t = base - 1;
		double w = (t * t) * (0.5 - t * (0.3333333333333333 - t * 0.25));
		double u = INVERSE_LN2_HIGH * t;
		double v = t * INVERSE_LN2_LOW - w * INVERSE_LN2;
		double log = Words.upper(u + v);
		return sign * exponential(y, log, v - (log - u));
	}

	private static boolean isWhole(double y) {
		return y >= 0x1p53 || (long) y == y;
	}

	private static boolean isOdd(double y) {
		return y < 0x1p53 && (long) y == y && ((long) y & 1) != 0;
	}

	/** The logarithm is that of a number near 1, or near one and a half. */
	private static double ofNormal(double base, double y) {
		boolean isSubnormal = base < Double.MIN_NORMAL;
		double x = isSubnormal ? base * 0x1p53 : base;
		int high = Words.high(x);
		int fraction = high & Words.FRACTION;
		int n = (isSubnormal ? -53 : 0) + (high >> Words.FRACTION_BITS) - Words.BIAS;
		boolean isGreat = fraction >= 0xbb67a;
		boolean isMiddle = fraction > 0x3988e && !isGreat;
		n += isGreat ? 1 : 0;
		high = fraction | (isGreat ? Words.ONE - HIDDEN : Words.ONE);
		x = Words.withHigh(x, high);
		double near = isMiddle ? 1.5 : 1;
		double u = x - near;
		double v = 1 / (x + near);
		double s = u * v;
		double sHigh = Words.upper(s);
		double tHigh = Words.of((high >> 1 | 0x20000000) + 0x00080000 + (isMiddle ? 1 << 18 : 0));
		double sLow = v * ((u - sHigh * tHigh) - sHigh * (x - (tHigh - near)));
		double square = s * s;
		double r = square * square * (L1 + square * (L2 + square * (L3 + square * (L4 + square * (L5 + square * L6)))));
		r += sLow * (sHigh + s);
		square = sHigh * sHigh;
		tHigh = Words.upper(3 + square + r);
		double tLow = r - ((tHigh - 3) - square);
		u = sHigh * tHigh;
		v = sLow * tHigh + tLow * s;
		double pHigh = Words.upper(u + v);
		double pLow = v - (pHigh - u);
		double zHigh = FACTOR_HIGH * pHigh;
		double zLow = FACTOR_LOW * pHigh + pLow * FACTOR + (isMiddle ? BASE_LOW : 0);
		double known = isMiddle ? BASE_HIGH : 0;
		double log = Words.upper(((zHigh + zLow) + known) + n);
		return exponential(y, log, zLow - (((log - n) - known) - zHigh));
	}

	/** 2 to the power of y times a logarithm in two parts. */
	private static double exponential(double y, double log, double rest) {
		double upper = Words.upper(y);
		double low = (y - upper) * log + y * rest;
		double high = upper * log;
		double z = low + high;
		if (z > OVERFLOW || (z == OVERFLOW && low + OVERFLOW_REST > z - high)) {
			return Double.POSITIVE_INFINITY;
		}
		if (z < UNDERFLOW || (z == UNDERFLOW && low <= z - high)) {
			return 0;
		}
		int bits = Words.high(z);
		int n = 0;
		if ((bits & Words.MAGNITUDE) > 0x3fe00000) {
			int k = ((bits & Words.MAGNITUDE) >> Words.FRACTION_BITS) - Words.BIAS;
			int rounded = bits + (HIDDEN >> (k + 1));
			k = ((rounded & Words.MAGNITUDE) >> Words.FRACTION_BITS) - Words.BIAS;
			high -= Words.of(rounded & ~(Words.FRACTION >> k));
			n = ((rounded & Words.FRACTION) | HIDDEN) >> (Words.FRACTION_BITS - k);
			n = (bits < 0) ? -n : n;
		}
		double t = Words.upper(low + high);
		double u = t * LN2_HIGH;
		double v = (low - (t - high)) * LN2 + t * LN2_LOW;
		z = u + v;
		double w = v - (z - u);
		t = z * z;
		double c = z - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
		z = 1 - ((z * c) / (c - 2) - (w + z * w) - z);
		boolean isSubnormal = (Words.high(z) + (n << Words.FRACTION_BITS)) >> Words.FRACTION_BITS <= 0;
		return isSubnormal ? Words.scaled(z, n + DISTANCE) * 0x1p-1000 : Words.scaled(z, n);
	}

}
