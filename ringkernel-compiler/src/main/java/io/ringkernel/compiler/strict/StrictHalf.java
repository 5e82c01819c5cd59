package io.ringkernel.compiler.strict;

/**
 * Conversions between a {@code float} and a number of IEEE 754's binary16, as JDK 20 and
 * later do. The JDK's own read fields that are closed to the compiler.
 *
 * @since 0.2.0
 */
public final class StrictHalf {

	private static final int SIGN = 0x8000;

	private static final int MAGNITUDE = Integer.MAX_VALUE;

	/** How many bits a fraction of a float has more. */
	private static final int FRACTION_DISTANCE = 13;

	/** What the exponents of a float have more, in their place. */
	private static final int EXPONENT_DISTANCE = 112 << 23;

	/** The same as a factor. */
	private static final float SCALE = 0x1p112f;

	/** The float with this fraction and exponent 31 is no finite half. */
	private static final int INFINITY_OF_HALF = 31 << 23;

	private static final int INFINITY = 0x7f800000;

	/** The half of {@link Float#NaN}. */
	private static final int HALF_NAN = 0x7e00;

	private static final int HALF_INFINITY = 0x7c00;

	/** The last bit of its fraction is worth what that of a half without exponent is. */
	private static final float LEAST_ALIGNED = 0.5f;

	private StrictHalf() {
	}

	/**
	 * The number that a half is. The scale makes normal numbers of those without
	 * exponent, too.
	 * @param half the bits of the half
	 * @return what {@code Float.float16ToFloat} returns; a NaN keeps its sign and its
	 * bits
	 */
	public static float float16ToFloat(short half) {
		int bits = (half & (SIGN - 1)) << FRACTION_DISTANCE;
		int magnitude = (bits >= INFINITY_OF_HALF) ? bits | INFINITY
				: Float.floatToRawIntBits(Float.intBitsToFloat(bits) * SCALE);
		return Float.intBitsToFloat(magnitude | (half & SIGN) << Short.SIZE);
	}

	/**
	 * The half that is nearest to a number, ties to even. A half without exponent is
	 * rounded by an addition.
	 * @param number the number; if it is a NaN, {@link Float#NaN}
	 * @return what {@code Float.floatToFloat16} returns
	 */
	public static short floatToFloat16(float number) {
		int bits = Float.floatToRawIntBits(number);
		int magnitude = bits & MAGNITUDE;
		int odd = magnitude >> FRACTION_DISTANCE & 1;
		int half = (magnitude - EXPONENT_DISTANCE + (1 << (FRACTION_DISTANCE - 1)) - 1 + odd) >> FRACTION_DISTANCE;
		half = (magnitude < EXPONENT_DISTANCE + (1 << 23))
				? Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + LEAST_ALIGNED)
						- Float.floatToRawIntBits(LEAST_ALIGNED)
				: half;
		half = (magnitude >= EXPONENT_DISTANCE + INFINITY_OF_HALF) ? HALF_INFINITY : half;
		half = (magnitude > INFINITY) ? HALF_NAN : half;
		return (short) (half | bits >>> Short.SIZE & SIGN);
	}

}
