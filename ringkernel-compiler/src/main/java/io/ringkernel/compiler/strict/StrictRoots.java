package io.ringkernel.compiler.strict;

/**
 * The cubic root and the length of a vector as fdlibm defines them, which
 * {@link StrictMath} promises to the bit.
 * <p>
 * After {@code s_cbrt.c and e_hypot.c} of fdlibm 5.3: Copyright (C) 1993, 2004 by Sun
 * Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute
 * this software is freely granted, provided that this notice is preserved.
 *
 * @since 0.2.0
 */
public final class StrictRoots {

	/** Of a normal number, and of one times 2 to the power of 54. */
	private static final int THIRD_OF_BIAS = 715094163;

	private static final int THIRD_OF_SUBNORMAL_BIAS = 696219795;

	private static final double C = 0x1.15f15f15f15f1p-1;

	private static final double D = -0x1.691de2532c834p-1;

	private static final double E = 0x1.6a0ea0ea0ea0fp0;

	private static final double F = 0x1.9b6db6db6db6ep0;

	private static final double G = 0x1.6db6db6db6db7p-2;

	/** So much greater, in an upper half, hides the other one. */
	private static final int FAR = 60 << Words.FRACTION_BITS;

	private static final int SCALE = 600;

	private static final int SUBNORMAL_SCALE = 1022;

	private static final double GREAT = 0x1.00000ffffffffp500;

	private static final double SMALL = 0x1p-500;

	private StrictRoots() {
	}

	/** What {@link StrictMath#cbrt} returns. */
	public static double cbrt(double x) {
		double absolute = Math.abs(x);
		if (x == 0 || !(absolute <= Double.MAX_VALUE)) {
			return x;
		}
		double t = (absolute < Double.MIN_NORMAL) ? rough(absolute * 0x1p54, THIRD_OF_SUBNORMAL_BIAS)
				: Words.of(Words.high(absolute) / 3 + THIRD_OF_BIAS);
		double s = C + t * t / absolute * t;
		t *= G + F / (s + E + D / s);
		t = Words.of(Words.high(t) + 1);
		double r = absolute / (t * t);
		t += t * ((r - t) / (t + t + r));
		return (x < 0) ? -t : t;
	}

	/** An estimate, which keeps the lower half of the number. */
	private static double rough(double scaled, int bias) {
		return Words.withHigh(scaled, Words.high(scaled) / 3 + bias);
	}

	/** What {@link StrictMath#hypot} returns. */
	public static double hypot(double x, double y) {
		double a = Math.max(Math.abs(x), Math.abs(y));
		double b = Math.min(Math.abs(x), Math.abs(y));
		if (Math.abs(x) == Double.POSITIVE_INFINITY || Math.abs(y) == Double.POSITIVE_INFINITY) {
			return Double.POSITIVE_INFINITY;
		}
		if (Double.isNaN(a) || Words.high(a) - Words.high(b) > FAR) {
			return a + b;
		}
		int scale = (a > GREAT) ? -SCALE : 0;
		int high = Words.high(a) + (scale << Words.FRACTION_BITS);
		int other = Words.high(b) + (scale << Words.FRACTION_BITS);
		a *= power(scale);
		b *= power(scale);
		if (b == 0) {
			return a;
		}
		if (b < Double.MIN_NORMAL) {
			// The upper halves remain what they were, as in fdlibm.
			return root(a * 0x1p1022, b * 0x1p1022, high, other) * power(-SUBNORMAL_SCALE - scale);
		}
		if (b < SMALL) {
			int up = SCALE << Words.FRACTION_BITS;
			return root(a * power(SCALE), b * power(SCALE), high + up, other + up) * power(-SCALE - scale);
		}
		return root(a, b, high, other) * power(-scale);
	}

	private static double root(double a, double b, int highOfA, int highOfB) {
		double w = a - b;
		if (w > b) {
			double t = Words.of(highOfA);
			return Math.sqrt(t * t - (b * -b - (a - t) * (a + t)));
		}
		double twice = a + a;
		double y = Words.of(highOfB);
		double t = Words.of(highOfA + (1 << Words.FRACTION_BITS));
		return Math.sqrt(t * y - (w * -w - (t * (b - y) + (twice - t) * b)));
	}

	private static double power(int exponent) {
		return Words.of((exponent + Words.BIAS) << Words.FRACTION_BITS);
	}

}
