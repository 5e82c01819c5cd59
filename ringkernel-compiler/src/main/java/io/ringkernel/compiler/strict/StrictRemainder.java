package io.ringkernel.compiler.strict;

/**
 * The remainder of floating-point numbers as the operator {@code %} of Java defines it:
 * that of a division whose quotient is cut off. It is exact, and has the sign of the
 * dividend.
 *
 * @since 0.2.0
 */
public final class StrictRemainder {

	private static final long INFINITY = 0x7ff0_0000_0000_0000L;

	private static final int FRACTION_BITS = 52;

	/** What a normal number has in front of its fraction. */
	private static final long LEADING = 1L << FRACTION_BITS;

	private StrictRemainder() {
	}

	/**
	 * The remainder of two numbers.
	 * @param dividend the dividend
	 * @param divisor the divisor
	 * @return what {@code dividend % divisor} is
	 */
	public static double remainder(double dividend, double divisor) {
		long from = Double.doubleToRawLongBits(dividend) & Long.MAX_VALUE;
		long by = Double.doubleToRawLongBits(divisor) & Long.MAX_VALUE;
		if (from >= INFINITY || by > INFINITY || by == 0) {
			return Double.NaN;
		}
		if (from < by) {
			return dividend;
		}
		long sign = Double.doubleToRawLongBits(dividend) & Long.MIN_VALUE;
		int exponent = exponent(by);
		long divided = fraction(by);
		long rest = fraction(from);
		rest -= (rest >= divided) ? divided : 0;
		for (int i = exponent(from); i > exponent; i--) {
			rest <<= 1;
			rest -= (rest >= divided) ? divided : 0;
		}
		return Double.longBitsToDouble(sign | bits(rest, exponent));
	}

	/** The exponent of a positive number; that of a subnormal one is not positive. */
	private static int exponent(long bits) {
		return (bits >= LEADING) ? (int) (bits >> FRACTION_BITS) : 1 - missing(bits);
	}

	/** The fraction of a positive number, which begins with the leading bit. */
	private static long fraction(long bits) {
		return (bits >= LEADING) ? (bits & (LEADING - 1)) | LEADING : bits << missing(bits);
	}

	/** How far the first bit is behind the place of the leading one. */
	private static int missing(long bits) {
		return Long.numberOfLeadingZeros(bits) - Long.numberOfLeadingZeros(LEADING);
	}

	/** The bits of a number that is not negative. */
	private static long bits(long fraction, int exponent) {
		if (fraction == 0) {
			return 0;
		}
		int missing = missing(fraction);
		long normal = fraction << missing;
		int at = exponent - missing;
		return (at > 0) ? (normal - LEADING) | ((long) at << FRACTION_BITS) : normal >> (1 - at);
	}

}
