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

	/** How many more bits the fraction of a float has. */
	private static final int FRACTION_DISTANCE = 13;

	/** How much greater the exponent of a float is, where that lies. */
	private static final int EXPONENT_DISTANCE = 112 << 23;

	/** The same as a factor. */
	private static final float SCALE = 0x1p112f;

	/** The bits of the least normal half, as a float has them. */
	private static final int NORMAL = EXPONENT_DISTANCE + (1 << 23);

	/** The exponent of a half that is infinite or a NaN, where that of a float lies. */
	private static final int INFINITY_OF_HALF = 31 << 23;

	private static final int INFINITY = 0x7f800000;

	/** The half of {@link Float#NaN}. */
	private static final int HALF_NAN = 0x7e00;

	private static final int HALF_INFINITY = 0x7c00;

	/** The last bit of its fraction is worth as much as that of a subnormal half. */
	private static final float LEAST_ALIGNED = 0.5f;

	private StrictHalf() {
	}

	/**
	 * What {@code Float.float16ToFloat} returns; a NaN keeps its sign and its bits. The
	 * product with the scale is exact, also of a subnormal number.
	 */
	public static float float16ToFloat(short half) {
		int bits = (half & (SIGN - 1)) << FRACTION_DISTANCE;
		int magnitude = (bits >= INFINITY_OF_HALF) ? bits | INFINITY
				: Float.floatToRawIntBits(Float.intBitsToFloat(bits) * SCALE);
		return Float.intBitsToFloat(magnitude | (half & SIGN) << Short.SIZE);
	}

	/**
	 * What {@code Float.floatToFloat16} returns of a number, and of no NaN but
	 * {@link Float#NaN}. The addition rounds a subnormal half, ties to even.
	 */
	public static short floatToFloat16(float number) {
		int bits = Float.floatToRawIntBits(number);
		int magnitude = bits & MAGNITUDE;
		int odd = magnitude >> FRACTION_DISTANCE & 1;
		int half = (magnitude - EXPONENT_DISTANCE + (1 << (FRACTION_DISTANCE - 1)) - 1 + odd) >> FRACTION_DISTANCE;
		half = (magnitude < NORMAL) ? Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + LEAST_ALIGNED)
				- Float.floatToRawIntBits(LEAST_ALIGNED) : half;
		half = (magnitude >= EXPONENT_DISTANCE + INFINITY_OF_HALF) ? HALF_INFINITY : half;
		half = (magnitude > INFINITY) ? HALF_NAN : half;
		return (short) (half | (bits >>> Short.SIZE & SIGN));
	}

}
