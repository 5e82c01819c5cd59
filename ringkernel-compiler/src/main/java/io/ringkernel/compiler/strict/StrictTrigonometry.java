package io.ringkernel.compiler.strict;

/**
 * Sine, cosine and tangent as fdlibm defines them, which {@link StrictMath} promises to
 * the bit: polynomials of what is left of the argument beside a multiple of half of pi.
 * <p>
 * After {@code k_sin.c, k_cos.c and k_tan.c} of fdlibm 5.3: Copyright (C) 1993, 2004 by
 * Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and
 * distribute this software is freely granted, provided that this notice is preserved.
 *
 * @since 0.2.0
 */
public final class StrictTrigonometry {

	/** The upper half of a quarter of pi. */
	static final int QUARTER_PI_HIGH = 0x3fe921fb;

	private static final int TINY = 0x3e400000;

	private static final double S1 = -0x1.5555555555549p-3;

	private static final double S2 = 0x1.111111110f8a6p-7;

	private static final double S3 = -0x1.a01a019c161d5p-13;

	private static final double S4 = 0x1.71de357b1fe7dp-19;

	private static final double S5 = -0x1.ae5e68a2b9cebp-26;

	private static final double S6 = 0x1.5d93a5acfd57cp-33;

	private static final double C1 = 0x1.555555555554cp-5;

	private static final double C2 = -0x1.6c16c16c15177p-10;

	private static final double C3 = 0x1.a01a019cb159p-16;

	private static final double C4 = -0x1.27e4f809c52adp-22;

	private static final double C5 = 0x1.1ee9ebdb4b1c4p-29;

	private static final double C6 = -0x1.8fae9be8838d4p-37;

	private static final double QUARTER_PI = 0x1.921fb54442d18p-1;

	private static final double QUARTER_PI_REST = 0x1.1a62633145c07p-55;

	private static final double T0 = 0x1.5555555555563p-2;

	private static final double T1 = 0x1.111111110fe7ap-3;

	private static final double T2 = 0x1.ba1ba1bb341fep-5;

	private static final double T3 = 0x1.664f48406d637p-6;

	private static final double T4 = 0x1.226e3e96e8493p-7;

	private static final double T5 = 0x1.d6d22c9560328p-9;

	private static final double T6 = 0x1.7dbc8fee08315p-10;

	private static final double T7 = 0x1.344d8f2f26501p-11;

	private static final double T8 = 0x1.026f71a8d1068p-12;

	private static final double T9 = 0x1.47e88a03792a6p-14;

	private static final double T10 = 0x1.2b80f32f0a7e9p-14;

	private static final double T11 = -0x1.375cbdb605373p-16;

	private static final double T12 = 0x1.b2a7074bf7ad4p-16;

	private static final int TINY_TANGENT = 0x3e300000;

	private static final int LARGE_TANGENT = 0x3fe59428;

	private StrictTrigonometry() {
	}

	/** What {@link StrictMath#sin} returns. */
	public static double sin(double x) {
		StrictAngle angle = StrictAngle.of(x);
		double y = ((angle.quadrant() & 1) == 0) ? sine(angle.high(), angle.low(), angle.isReduced())
				: cosine(angle.high(), angle.low());
		return ((angle.quadrant() & 2) == 0) ? y : -y;
	}

	/** What {@link StrictMath#cos} returns. */
	public static double cos(double x) {
		StrictAngle angle = StrictAngle.of(x);
		double y = ((angle.quadrant() & 1) == 0) ? cosine(angle.high(), angle.low())
				: sine(angle.high(), angle.low(), angle.isReduced());
		return ((angle.quadrant() + 1 & 2) == 0) ? y : -y;
	}

	/** What {@link StrictMath#tan} returns. */
	public static double tan(double x) {
		StrictAngle angle = StrictAngle.of(x);
		return tangent(angle.high(), angle.low(), 1 - ((angle.quadrant() & 1) << 1));
	}

	private static double sine(double x, double rest, boolean hasRest) {
		if ((Words.high(x) & Words.MAGNITUDE) < TINY) {
			return x;
		}
		double z = x * x;
		double v = z * x;
		double r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
		return hasRest ? x - ((z * (0.5 * rest - v * r) - rest) - v * S1) : x + v * (S1 + z * r);
	}

	private static double cosine(double x, double rest) {
		int magnitude = Words.high(x) & Words.MAGNITUDE;
		if (magnitude < TINY) {
			return Double.isNaN(x) ? x : 1;
		}
		double z = x * x;
		double r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
		if (magnitude < 0x3fd33333) {
			return 1 - (0.5 * z - (z * r - x * rest));
		}
		double part = (magnitude > 0x3fe90000) ? 0.28125 : Words.of(magnitude - 0x00200000);
		return (1 - part) - ((0.5 * z - part) - (z * r - x * rest));
	}

	/** The tangent if the sign is 1, and its negated inverse if the sign is -1. */
	private static double tangent(double angle, double angleRest, int sign) {
		int high = Words.high(angle);
		int magnitude = high & Words.MAGNITUDE;
		double x = angle;
		double rest = angleRest;
		if (magnitude < TINY_TANGENT) {
			return (sign == 1) ? x : negatedInverse(x + rest, x, rest);
		}
		boolean isLarge = magnitude >= LARGE_TANGENT;
		if (isLarge) {
			x = (QUARTER_PI - ((high < 0) ? -x : x)) + (QUARTER_PI_REST - ((high < 0) ? -rest : rest));
			rest = 0;
		}
		double z = x * x;
		double w = z * z;
		double odd = T1 + w * (T3 + w * (T5 + w * (T7 + w * (T9 + w * T11))));
		double even = z * (T2 + w * (T4 + w * (T6 + w * (T8 + w * (T10 + w * T12)))));
		double s = z * x;
		double r = rest + z * (s * (odd + even) + rest) + T0 * s;
		w = x + r;
		if (isLarge) {
			return (1 - ((high >> 30) & 2)) * (sign - 2 * (x - (w * w / (w + sign) - r)));
		}
		return (sign == 1) ? w : negatedInverse(w, x, r);
	}

	/** The negated inverse of {@code x + rest}, which is rounded to {@code w}. */
	private static double negatedInverse(double w, double x, double rest) {
		double z = Words.upper(w);
		double v = rest - (z - x);
		double a = -1 / w;
		double t = Words.upper(a);
		return t + a * ((1 + t * z) + t * v);
	}

}
