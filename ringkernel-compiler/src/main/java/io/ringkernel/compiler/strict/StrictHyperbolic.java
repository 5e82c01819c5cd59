package io.ringkernel.compiler.strict;

/**
 * The hyperbolic functions as fdlibm defines them, which {@link StrictMath} promises to
 * the bit.
 * <p>
 * After {@code e_sinh.c, e_cosh.c and s_tanh.c} of fdlibm 5.3: Copyright (C) 1993, 2004
 * by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and
 * distribute this software is freely granted, provided that this notice is preserved.
 *
 * @since 0.2.0
 */
public final class StrictHyperbolic {

	/** The upper half of 22. */
	private static final int LARGE = 0x40360000;

	/** The upper half of the logarithm of the greatest number. */
	private static final int GREAT = 0x40862e42;

	/** The results are finite up to that. */
	private static final double GREATEST = 0x1.633ce8fb9f87dp9;

	private static final int TINY = 0x3e300000;

	private StrictHyperbolic() {
	}

	/** What {@link StrictMath#sinh} returns. */
	public static double sinh(double x) {
		int magnitude = Words.high(x) & Words.MAGNITUDE;
		if (magnitude >= Words.INFINITY || magnitude < TINY) {
			return x;
		}
		double absolute = Math.abs(x);
		double half = (x < 0) ? -0.5 : 0.5;
		if (magnitude < LARGE) {
			double t = StrictExponential.expm1(absolute);
			return (magnitude < Words.ONE) ? half * (2 * t - t * t / (t + 1)) : half * (t + t / (t + 1));
		}
		return large(absolute, magnitude, half);
	}

	/** What {@link StrictMath#cosh} returns. */
	public static double cosh(double x) {
		int magnitude = Words.high(x) & Words.MAGNITUDE;
		double absolute = Math.abs(x);
		if (magnitude >= Words.INFINITY) {
			return absolute;
		}
		if (magnitude < 0x3fd62e43) {
			double t = StrictExponential.expm1(absolute);
			double w = 1 + t;
			return (magnitude < 0x3c800000) ? w : 1 + (t * t) / (w + w);
		}
		if (magnitude < LARGE) {
			double t = StrictExponential.exp(absolute);
			return 0.5 * t + 0.5 / t;
		}
		return large(absolute, magnitude, 0.5);
	}

	/** What both are of a large number, but for the sign. */
	private static double large(double x, int magnitude, double half) {
		if (x > GREATEST) {
			return half * Double.POSITIVE_INFINITY;
		}
		boolean isGreat = magnitude >= GREAT;
		double w = StrictExponential.exp(isGreat ? 0.5 * x : x);
		return isGreat ? half * w * w : half * w;
	}

	/** What {@link StrictMath#tanh} returns. */
	public static double tanh(double x) {
		int magnitude = Words.high(x) & Words.MAGNITUDE;
		if (Double.isNaN(x)) {
			return x;
		}
		if (magnitude < 0x3c800000) {
			return x * (1 + x);
		}
		double z = 1;
		if (magnitude < LARGE) {
			boolean isLarge = magnitude >= Words.ONE;
			double t = StrictExponential.expm1((isLarge ? 2 : -2) * Math.abs(x));
			z = isLarge ? 1 - 2 / (t + 2) : -t / (t + 2);
		}
		return (x < 0) ? -z : z;
	}

}
