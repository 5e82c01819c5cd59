package io.ringkernel.compiler.strict;

/**
 * The inverse functions of sine, cosine and tangent as fdlibm defines them, which
 * {@link StrictMath} promises to the bit.
 * <p>
 * After {@code e_asin.c, e_acos.c, s_atan.c and e_atan2.c} of fdlibm 5.3: Copyright (C)
 * 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy,
 * modify, and distribute this software is freely granted, provided that this notice is
 * preserved.
 *
 * @since 0.2.0
 */
public final class StrictInverse {

	private static final double PI_REST = 0x1.1a62633145c07p-53;

	private static final double HALF_PI = 0x1.921fb54442d18p0;

	private static final double HALF_PI_REST = 0x1.1a62633145c07p-54;

	private static final double QUARTER_PI = 0x1.921fb54442d18p-1;

	private static final double P0 = 0x1.5555555555555p-3;

	private static final double P1 = -0x1.4d61203eb6f7dp-2;

	private static final double P2 = 0x1.9c1550e884455p-3;

	private static final double P3 = -0x1.48228b5688f3bp-5;

	private static final double P4 = 0x1.9efe07501b288p-11;

	private static final double P5 = 0x1.23de10dfdf709p-15;

	private static final double Q1 = -0x1.33a271c8a2d4bp1;

	private static final double Q2 = 0x1.02ae59c598ac8p1;

	private static final double Q3 = -0x1.6066c1b8d0159p-1;

	private static final double Q4 = 0x1.3b8c5b12e9282p-4;

	private static final double A0 = 0x1.555555555550dp-2;

	private static final double A1 = -0x1.999999998ebc4p-3;

	private static final double A2 = 0x1.24924920083ffp-3;

	private static final double A3 = -0x1.c71c6fe231671p-4;

	private static final double A4 = 0x1.745cdc54c206ep-4;

	private static final double A5 = -0x1.3b0f2af749a6dp-4;

	private static final double A6 = 0x1.10d66a0d03d51p-4;

	private static final double A7 = -0x1.dde2d52defd9ap-5;

	private static final double A8 = 0x1.97b4b24760debp-5;

	private static final double A9 = -0x1.2b4442c6a6c2fp-5;

	private static final double A10 = 0x1.0ad3ae322da11p-6;

	private static final int HALF_HIGH = 0x3fe00000;

	/** The quotient is not far from 1, or from infinity, beyond that exponent. */
	private static final int FAR = 60;

	private StrictInverse() {
	}

	/** What {@link StrictMath#asin} returns. */
	public static double asin(double x) {
		int magnitude = Words.high(x) & Words.MAGNITUDE;
		if (magnitude >= Words.ONE) {
			return (Math.abs(x) == 1) ? x * HALF_PI + x * HALF_PI_REST : Double.NaN;
		}
		if (magnitude < HALF_HIGH) {
			return (magnitude < 0x3e400000) ? x : x + x * ratio(x * x);
		}
		double t = (1 - Math.abs(x)) * 0.5;
		double s = Math.sqrt(t);
		double r = ratio(t);
		double angle;
		if (magnitude >= 0x3fef3333) {
			angle = HALF_PI - (2 * (s + s * r) - HALF_PI_REST);
		}
		else {
			double w = Words.upper(s);
			double c = (t - w * w) / (s + w);
			angle = QUARTER_PI - ((2 * s * r - (HALF_PI_REST - 2 * c)) - (QUARTER_PI - 2 * w));
		}
		return (x > 0) ? angle : -angle;
	}

	/** What {@link StrictMath#acos} returns. */
	public static double acos(double x) {
		int magnitude = Words.high(x) & Words.MAGNITUDE;
		if (magnitude >= Words.ONE) {
			return (x == 1) ? 0 : (x == -1) ? Math.PI + 2 * HALF_PI_REST : Double.NaN;
		}
		if (magnitude < HALF_HIGH) {
			return (magnitude <= 0x3c600000) ? HALF_PI + HALF_PI_REST
					: HALF_PI - (x - (HALF_PI_REST - x * ratio(x * x)));
		}
		double z = (1 - Math.abs(x)) * 0.5;
		double s = Math.sqrt(z);
		double r = ratio(z);
		if (x < 0) {
			return Math.PI - 2 * (s + (r * s - HALF_PI_REST));
		}
		double upper = Words.upper(s);
		double c = (z - upper * upper) / (s + upper);
		return 2 * (upper + (r * s + c));
	}

	private static double ratio(double t) {
		double p = t * (P0 + t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5)))));
		return p / (1 + t * (Q1 + t * (Q2 + t * (Q3 + t * Q4))));
	}

	/** What {@link StrictMath#atan} returns. */
	public static double atan(double x) {
		int magnitude = Words.high(x) & Words.MAGNITUDE;
		if (Double.isNaN(x) || magnitude < 0x3e200000) {
			return x;
		}
		double absolute = Math.abs(x);
		if (magnitude < 0x3fdc0000) {
			return x - x * series(x);
		}
		double angle;
		if (magnitude >= 0x44100000) {
			angle = HALF_PI + HALF_PI_REST;
		}
		else if (magnitude < 0x3fe60000) {
			angle = beside((2 * absolute - 1) / (2 + absolute), 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56);
		}
		else if (magnitude < 0x3ff30000) {
			angle = beside((absolute - 1) / (absolute + 1), QUARTER_PI, 0x1.1a62633145c07p-55);
		}
		else if (magnitude < 0x40038000) {
			angle = beside((absolute - 1.5) / (1 + 1.5 * absolute), 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56);
		}
		else {
			angle = beside(-1 / absolute, HALF_PI, HALF_PI_REST);
		}
		return (x < 0) ? -angle : angle;
	}

	/** The angle of a tangent beside a known angle. */
	private static double beside(double x, double angle, double rest) {
		return angle - ((x * series(x) - rest) - x);
	}

	private static double series(double x) {
		double z = x * x;
		double w = z * z;
		return z * (A0 + w * (A2 + w * (A4 + w * (A6 + w * (A8 + w * A10)))))
				+ w * (A1 + w * (A3 + w * (A5 + w * (A7 + w * A9))));
	}

	/** What {@link StrictMath#atan2} returns. */
	public static double atan2(double y, double x) {
		if (Double.isNaN(x) || Double.isNaN(y)) {
			return Double.NaN;
		}
		boolean isLeft = Words.high(x) < 0;
		if (y == 0) {
			return isLeft ? Math.copySign(Math.PI, y) : y;
		}
		if (x == 1) {
			return atan(y);
		}
		return Math.copySign(upper(Math.abs(y), x, isLeft), y);
	}

	/** The angle of a point with a positive ordinate. */
	private static double upper(double y, double x, boolean isLeft) {
		boolean isHigh = y == Double.POSITIVE_INFINITY;
		if (Math.abs(x) == Double.POSITIVE_INFINITY) {
			double angle = isHigh ? QUARTER_PI : 0;
			return isLeft ? isHigh ? 3 * QUARTER_PI : Math.PI : angle;
		}
		if (isHigh || x == 0) {
			return HALF_PI;
		}
		int distance = (Words.high(y) - (Words.high(x) & Words.MAGNITUDE)) >> Words.FRACTION_BITS;
		double angle;
		if (distance > FAR) {
			angle = HALF_PI + 0.5 * PI_REST;
		}
		else {
			angle = (isLeft && distance < -FAR) ? 0 : atan(Math.abs(y / x));
		}
		return isLeft ? Math.PI - (angle - PI_REST) : angle;
	}

}
