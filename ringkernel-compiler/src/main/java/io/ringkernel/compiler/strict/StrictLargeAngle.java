package io.ringkernel.compiler.strict;

/**
 * What is left of a large angle beside a multiple of half of pi. In units of half of pi,
 * it is a fraction of up to nine digits of 24 bits; they are held in three words of 64.
 * <p>
 * After {@code k_rem_pio2.c} of fdlibm 5.3: Copyright (C) 1993, 2004 by Sun Microsystems,
 * Inc. All rights reserved. Permission to use, copy, modify, and distribute this software
 * is freely granted, provided that this notice is preserved.
 *
 * @since 0.2.0
 */
record StrictLargeAngle(long a, long b, long c, long d) {

	private static final int DIGIT_BITS = 24;

	private static final int DIGIT = 0xffffff;

	/** The digits behind the first one that are computed at first. */
	private static final int FIRST_DIGITS = 4;

	/** The exponent of a number of so many bits that are whole is this much less. */
	private static final int WHOLE_BITS = 23;

	/** Takes a positive angle with an upper half apart. */
	static StrictAngle of(double x, int high) {
		int exponent = (high >> Words.FRACTION_BITS) - Words.BIAS - WHOLE_BITS;
		int first = (exponent - 3) / DIGIT_BITS;
		int shift = exponent - DIGIT_BITS * (first + 1);
		long fraction = (Double.doubleToRawLongBits(x) & 0xf_ffff_ffff_ffffL) | 0x10_0000_0000_0000L;
		int digits = FIRST_DIGITS;
		StrictLargeAngle product = product(fraction, first, digits);
		int bits = DIGIT_BITS * digits - shift;
		StrictLargeAngle rest = product.fraction(bits);
		while (rest.isShort()) {
			digits += rest.missing();
			bits = DIGIT_BITS * digits - shift;
			product = product(fraction, first, digits);
			rest = product.fraction(bits);
		}
		boolean isBehind = product.bit(bits - 1) != 0;
		int quadrant = (product.bits(bits) & 7) + (isBehind ? 1 : 0);
		return rest.angle(quadrant & 7, isBehind, shift - DIGIT_BITS * digits);
	}

	/** The bits of a number times those of 2 / pi from one of its digits on. */
	private static StrictLargeAngle product(long fraction, int first, int digits) {
		long upper = fraction >> 29;
		long middle = (fraction >> 5) & DIGIT;
		long lower = (fraction & 31) << 19;
		StrictLargeAngle sum = new StrictLargeAngle(0, 0, 0, 0);
		long before = digit(first - 1);
		long long2 = digit(first - 2);
		for (int i = 0; i <= digits; i++) {
			long at = digit(first + i);
			sum = sum.next(upper * at + middle * before + lower * long2);
			long2 = before;
			before = at;
		}
		return sum;
	}

	/** The number with one more digit, and a carry to those before. */
	private StrictLargeAngle next(long added) {
		long lowest = this.d << DIGIT_BITS;
		long d = lowest + added;
		long carry = (Long.compareUnsigned(d, lowest) < 0) ? 1 : 0;
		long low = this.c << DIGIT_BITS | this.d >>> (Long.SIZE - DIGIT_BITS);
		long c = low + carry;
		carry = (carry != 0 && c == 0) ? 1 : 0;
		long b = (this.b << DIGIT_BITS | this.c >>> (Long.SIZE - DIGIT_BITS)) + carry;
		carry = (carry != 0 && b == 0) ? 1 : 0;
		return new StrictLargeAngle((this.a << DIGIT_BITS | this.b >>> (Long.SIZE - DIGIT_BITS)) + carry, b, c, d);
	}

	/** The distance to the nearest whole number. */
	private StrictLargeAngle fraction(int bits) {
		boolean isBehind = bit(bits - 1) != 0;
		long a = isBehind ? ~this.a : this.a;
		long b = isBehind ? ~this.b : this.b;
		long c = isBehind ? ~this.c : this.c;
		long d = isBehind ? -this.d : this.d;
		c += (isBehind && d == 0) ? 1 : 0;
		b += (isBehind && d == 0 && c == 0) ? 1 : 0;
		a += (isBehind && d == 0 && c == 0 && b == 0) ? 1 : 0;
		return new StrictLargeAngle(a & mask(bits - 192), b & mask(bits - 128), c & mask(bits - 64), d & mask(bits));
	}

	private static long mask(int bits) {
		return (bits >= Long.SIZE) ? -1 : (bits <= 0) ? 0 : (1L << bits) - 1;
	}

	/** Whether more digits matter. */
	private boolean isShort() {
		return (this.a | this.b | this.c >>> 32) == 0;
	}

	/** How many digits are missing: those that are zero in front, and one. */
	private int missing() {
		int missing = 1;
		while (bits(DIGIT_BITS * (FIRST_DIGITS - missing)) == 0) {
			missing++;
		}
		return missing;
	}

	private int bit(int at) {
		return bits(at) & 1;
	}

	/** A digit that begins at a bit. */
	private int bits(int at) {
		int shift = at & (Long.SIZE - 1);
		long from = word(at >> 6);
		long behind = (shift == 0) ? 0 : word((at >> 6) + 1) << (Long.SIZE - shift);
		return (int) (from >>> shift | behind) & DIGIT;
	}

	private long word(int index) {
		return (index == 0) ? this.d : (index == 1) ? this.c : (index == 2) ? this.b : (index == 3) ? this.a : 0;
	}

	/** Multiplies the fraction by half of pi. */
	private StrictAngle angle(int quadrant, boolean isBehind, int exponent) {
		int last = 9;
		while (bits(DIGIT_BITS * last) == 0) {
			last--;
		}
		double high = 0;
		for (int i = last; i >= 0; i--) {
			high += term(i, last, exponent);
		}
		double low = term(0, last, exponent) - high;
		for (int i = 1; i <= last; i++) {
			low += term(i, last, exponent);
		}
		return new StrictAngle(quadrant, isBehind ? -high : high, isBehind ? -low : low, true);
	}

	/** What the parts of half of pi and the digits make whose places add up. */
	private double term(int index, int last, int exponent) {
		double term = 0;
		for (int i = 0; i <= index && i < 5; i++) {
			int digit = last - index + i;
			double scale = Words.of((exponent + DIGIT_BITS * digit + Words.BIAS) << Words.FRACTION_BITS);
			term += part(i) * (scale * bits(DIGIT_BITS * digit));
		}
		return term;
	}

	private static double part(int index) {
		return switch (index) {
			case 0 -> 0x1.921fb4p0;
			case 1 -> 0x1.4442dp-24;
			case 2 -> 0x1.846988p-48;
			case 3 -> 0x1.8cc516p-72;
			default -> 0x1.01b838p-96;
		};
	}

	/** A digit of 2 / pi; those in front of the first are zero. */
	private static int digit(int index) {
		long digits = digits(index >> 1);
		return (int) (((index & 1) == 0) ? digits >> DIGIT_BITS : digits) & DIGIT;
	}

	/** Two digits of 2 / pi. */
	private static long digits(int pair) {
		return switch (pair) {
			case 0 -> 0xa2f983_6e4e44L;
			case 1 -> 0x1529fc_2757d1L;
			case 2 -> 0xf534dd_c0db62L;
			case 3 -> 0x95993c_439041L;
			case 4 -> 0xfe5163_abdebbL;
			case 5 -> 0xc561b7_246e3aL;
			case 6 -> 0x424dd2_e00649L;
			case 7 -> 0x2eea09_d1921cL;
			case 8 -> 0xfe1deb_1cb129L;
			case 9 -> 0xa73ee8_8235f5L;
			case 10 -> 0x2ebb44_84e99cL;
			case 11 -> 0x7026b4_5f7e41L;
			case 12 -> 0x3991d6_398353L;
			case 13 -> 0x39f49c_845f8bL;
			case 14 -> 0xbdf928_3b1ff8L;
			case 15 -> 0x97ffde_05980fL;
			case 16 -> 0xef2f11_8b5a0aL;
			case 17 -> 0x6d1f6d_367ecfL;
			case 18 -> 0x27cb09_b74f46L;
			case 19 -> 0x3f669e_5fea2dL;
			case 20 -> 0x7527ba_c7ebe5L;
			case 21 -> 0xf17b3d_0739f7L;
			case 22 -> 0x8a5292_ea6bfbL;
			case 23 -> 0x5fb11f_8d5d08L;
			case 24 -> 0x560330_46fc7bL;
			case 25 -> 0x6babf0_cfbc20L;
			case 26 -> 0x9af436_1da9e3L;
			default -> 0;
		};
	}

}
