package io.ringkernel.compiler.strict;

/**
 * The remainders of floating-point numbers, which are exact: as the operator {@code %} of
 * Java defines it, that of a division whose quotient is cut off, and as IEEE 754 does,
 * that of one whose quotient is rounded.
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
	 * The dividend less the divisor times the whole number that is next to the quotient,
	 * the even one of two.
	 */
	@SuppressWarnings("MemberName") // It has the name of what it stands in for.
	public static double IEEEremainder(double dividend, double divisor) {
		double by = Math.abs(divisor);
		double from = Math.abs((by <= Double.MAX_VALUE / 2) ? remainder(dividend, by + by) : dividend);
		if (!(from < Double.POSITIVE_INFINITY) || !(by > 0)) {
			return Double.NaN;
		}
		// Half of a small divisor may have no bits for it.
		boolean small = by < 2 * Double.MIN_NORMAL;
		double half = small ? by : by / 2;
		if ((small ? from + from : from) > half) {
			from -= by;
			from -= ((small ? from + from : from) >= half) ? by : 0;
		}
		long sign = Double.doubleToRawLongBits(dividend) & Long.MIN_VALUE;
		return Double.longBitsToDouble(Double.doubleToRawLongBits(from) ^ sign);
	}

	/** What {@code dividend % divisor} is. */
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
