package io.ringkernel.compiler.strict;

/**
 * The two halves of a {@code double}: the upper one has the sign, the exponent and 20
 * bits of the fraction.
 */
final class Words {

	/** Of an upper half, all but the sign. */
	static final int MAGNITUDE = 0x7fffffff;

	/** The upper half of infinity. */
	static final int INFINITY = 0x7ff00000;

	/** Of an upper half, the fraction. */
	static final int FRACTION = 0xfffff;

	/** The upper half of 1. */
	static final int ONE = 0x3ff00000;

	static final int FRACTION_BITS = 20;

	static final int BIAS = 1023;

	private Words() {
	}

	static int high(double x) {
		return (int) (Double.doubleToRawLongBits(x) >> Integer.SIZE);
	}

	/** The number with that upper half and a lower one of zero. */
	static double of(int high) {
		return Double.longBitsToDouble((long) high << Integer.SIZE);
	}

	static double withHigh(double x, int high) {
		return Double.longBitsToDouble((long) high << Integer.SIZE | (Double.doubleToRawLongBits(x) & 0xffffffffL));
	}

	/** The number without its lower half. */
	static double upper(double x) {
		return Double.longBitsToDouble(Double.doubleToRawLongBits(x) & 0xffffffff_00000000L);
	}

	/** A number times 2 to the power of k, if that is a normal number. */
	static double scaled(double x, int k) {
		return withHigh(x, high(x) + (k << FRACTION_BITS));
	}

}
