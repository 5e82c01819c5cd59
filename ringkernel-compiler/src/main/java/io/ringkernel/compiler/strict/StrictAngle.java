package io.ringkernel.compiler.strict;

/**
 * An angle as a multiple of half of pi and what is left, as fdlibm computes it: the
 * functions of an angle depend on the last bit of that. A large angle is multiplied by as
 * many bits of 2 / pi as matter, in whole numbers; the rest is as in fdlibm.
 * <p>
 * After {@code e_rem_pio2.c and k_rem_pio2.c} of fdlibm 5.3: Copyright (C) 1993, 2004 by
 * Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and
 * distribute this software is freely granted, provided that this notice is preserved.
 *
 * @since 0.2.0
 */
record StrictAngle(int quadrant, double high, double low, boolean isReduced) {

	/** The upper half of three quarters of pi. */
	private static final int THREE_QUARTERS_PI_HIGH = 0x4002d97c;

	private static final int HALF_PI_HIGH = 0x3ff921fb;

	/** The upper half of 2 to the power of 19 halves of pi. */
	private static final int MEDIUM_HIGH = 0x413921fb;

	private static final double TWO_OVER_PI = 0x1.45f306dc9c883p-1;

	private static final double HALF_PI = 0x1.921fb54442d18p0;

	/** Half of pi in parts of 33 bits, each with what is behind it. */
	private static final double PART1 = 0x1.921fb544p0;

	private static final double REST1 = 0x1.0b4611a626331p-34;

	private static final double PART2 = 0x1.0b4611a6p-34;

	private static final double REST2 = 0x1.3198a2e037073p-69;

	private static final double PART3 = 0x1.3198a2ep-69;

	private static final double REST3 = 0x1.b839a252049c1p-104;

	static StrictAngle of(double x) {
		int high = Words.high(x);
		int magnitude = high & Words.MAGNITUDE;
		if (magnitude <= StrictTrigonometry.QUARTER_PI_HIGH) {
			return new StrictAngle(0, x, 0, false);
		}
		if (magnitude >= Words.INFINITY) {
			return new StrictAngle(0, Double.NaN, 0, false);
		}
		double absolute = Math.abs(x);
		StrictAngle angle = (magnitude < THREE_QUARTERS_PI_HIGH) ? small(absolute, magnitude)
				: (magnitude <= MEDIUM_HIGH) ? medium(absolute, magnitude) : StrictLargeAngle.of(absolute, magnitude);
		return (high < 0) ? new StrictAngle(-angle.quadrant(), -angle.high(), -angle.low(), true) : angle;
	}

	private static StrictAngle small(double x, int magnitude) {
		double z = x - PART1;
		boolean isNear = magnitude == HALF_PI_HIGH;
		z -= isNear ? PART2 : 0;
		double rest = isNear ? REST2 : REST1;
		double high = z - rest;
		return new StrictAngle(1, high, (z - high) - rest, true);
	}

	private static StrictAngle medium(double x, int magnitude) {
		int n = (int) (x * TWO_OVER_PI + 0.5);
		double r = x - n * PART1;
		double w = n * REST1;
		if (n >= 32 || magnitude == Words.high(n * HALF_PI)) {
			int exponent = magnitude >> Words.FRACTION_BITS;
			if (exponent - exponent(r - w) > 16) {
				double t = r;
				w = n * PART2;
				r = t - w;
				w = n * REST2 - ((t - r) - w);
			}
			if (exponent - exponent(r - w) > 49) {
				double t = r;
				w = n * PART3;
				r = t - w;
				w = n * REST3 - ((t - r) - w);
			}
		}
		double high = r - w;
		return new StrictAngle(n, high, (r - high) - w, true);
	}

	private static int exponent(double x) {
		return (Words.high(x) >> Words.FRACTION_BITS) & 0x7ff;
	}

}
