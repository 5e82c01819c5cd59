package io.ringkernel.spring.ai.search;

/**
 * Half precision of IEEE 754, for which Java 17 has no type: 11 bits of precision,
 * exponents from -14 to 15. What is nearer to 0 than 2<sup>-14</sup> has fewer bits.
 */
final class Half {

	static final float LARGEST = 65_504;

	/** From here on a value rounds to infinity: half a step above the largest one. */
	private static final float TOO_LARGE = 65_520;

	/** The bits of a float beyond those of a half. */
	private static final int EXCESS_BITS = 13;

	private static final float SMALLEST_NORMAL = 0x1p-14f;

	/** A sum with it has its last bit where that of a small half is. */
	private static final float SUBNORMAL_ROUNDER = 0x1p-24f * 0x1p23f;

	private Half() {
	}

	/**
	 * Rounds to the nearest half; of two to the even one.
	 * @param value any number
	 * @return the half, as a float
	 */
	static float round(float value) {
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

}
