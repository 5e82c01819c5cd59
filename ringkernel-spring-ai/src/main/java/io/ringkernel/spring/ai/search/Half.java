package io.ringkernel.spring.ai.search;

/**
 * Half precision of IEEE 754, for which Java 17 has no type: 11 bits of precision,
 * exponents from -14 to 15. What is nearer to 0 than 2<sup>-14</sup> has fewer bits.
 *
 * @since 0.2.0
 */
public final class Half {

	static final float LARGEST = 65_504;

	/** From here on a value rounds to infinity: half a step above the largest one. */
	private static final float TOO_LARGE = 65_520;

	/** The bits of a float beyond those of a half. */
	private static final int EXCESS_BITS = 13;

	private static final float SMALLEST_NORMAL = 0x1p-14f;

	/** Of the exponents of floats and of halves: the difference of their biases. */
	private static final int BIAS = (127 - 15) << 10;

	/** A sum with it has its last bit where that of a small half is. */
	private static final float SUBNORMAL_ROUNDER = 0x1p-24f * 0x1p23f;

	private Half() {
	}

	/**
	 * Rounds to the nearest half; of two to the even one.
	 * @param value any number
	 * @return the half, as a float
	 */
	public static float round(float value) {
		float magnitude = Math.abs(value);
		if (magnitude >= TOO_LARGE) {
			return Math.copySign(Float.POSITIVE_INFINITY, value);
		}
		if (magnitude < SMALLEST_NORMAL) {
			return Math.copySign((magnitude + SUBNORMAL_ROUNDER) - SUBNORMAL_ROUNDER, value);
		}
		int bits = Float.floatToRawIntBits(value);
		int odd = (bits >>> EXCESS_BITS) & 1;
		int halfStep = (1 << (EXCESS_BITS - 1)) - 1 + odd;
		return Float.intBitsToFloat((bits + halfStep) >> EXCESS_BITS << EXCESS_BITS);
	}

	/**
	 * The bits of the nearest half.
	 * @param value any number
	 * @return the bits, 0 to 65,535
	 */
	public static int bits(float value) {
		float rounded = round(value);
		int sign = Float.floatToRawIntBits(rounded) >>> 16 & 0x8000;
		float magnitude = Math.abs(rounded);
		if (magnitude < SMALLEST_NORMAL) {
			return sign | (int) (magnitude * 0x1p24f);
		}
		return sign | Math.min((Float.floatToRawIntBits(magnitude) >>> EXCESS_BITS) - BIAS, 0x7c00);
	}

	/**
	 * The half with these bits.
	 * @param bits the bits, of which the lower 16 count
	 * @return the half, as a float
	 */
	public static float value(int bits) {
		int magnitude = bits & 0x7fff;
		float value;
		if (magnitude < 0x0400) {
			value = magnitude * 0x1p-24f;
		}
		else if (magnitude < 0x7c00) {
			value = Float.intBitsToFloat((magnitude + BIAS) << EXCESS_BITS);
		}
		else {
			value = (magnitude == 0x7c00) ? Float.POSITIVE_INFINITY : Float.NaN;
		}
		return ((bits & 0x8000) != 0) ? -value : value;
	}

}
