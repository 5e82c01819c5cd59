package io.ringkernel.compiler.strict;

/**
 * Products with powers of two, rounded once. The JDK's own read fields that are closed to
 * the compiler.
 *
 * @since 0.2.0
 */
public final class StrictScale {

	private static final double GREATEST = 0x1p1023;

	/** So much greater than the least normal number that one product more is exact. */
	private static final double SMALL = 0x1p-969;

	private static final int SMALL_EXPONENT = -969;

	private StrictScale() {
	}

	/** What {@link StrictMath#scalb(double, int)} returns. */
	public static double scalb(double x, int exponent) {
		double scaled = x;
		int rest = Math.max(-4 * Words.BIAS, Math.min(exponent, 4 * Words.BIAS));
		for (int i = 0; i < 2 && rest > Words.BIAS; i++) {
			scaled *= GREATEST;
			rest -= Words.BIAS;
		}
		for (int i = 0; i < 2 && rest < 1 - Words.BIAS; i++) {
			scaled *= SMALL;
			rest -= SMALL_EXPONENT;
		}
		int last = Math.max(1 - Words.BIAS, Math.min(rest, Words.BIAS));
		return scaled * Words.of((last + Words.BIAS) << Words.FRACTION_BITS);
	}

	/** What {@link StrictMath#scalb(float, int)} returns. */
	public static float scalb(float x, int exponent) {
		return (float) scalb((double) x, exponent);
	}

}
