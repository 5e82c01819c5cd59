package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Conversions between a {@code float} and a half by their definition: a half is the
 * nearest of all of them, which are listed.
 */
public final class HalfReference {

	/** The bits of infinity; the finite ones are below. */
	public static final int INFINITY = 0x7c00;

	/** All from 0 up. The number behind the greatest one stands for infinity. */
	private static final double[] ASCENDING = IntStream.rangeClosed(0, INFINITY)
		.mapToDouble(HalfReference::finite)
		.toArray();

	private HalfReference() {
	}

	private static double finite(int bits) {
		int exponent = bits >> 10;
		int fraction = bits & 0x3ff;
		return (exponent == 0) ? Math.scalb((double) fraction, -24) : Math.scalb(1 + fraction / 1024.0, exponent - 15);
	}

	/** The number that a half is. A NaN keeps its bits. */
	public static float float16ToFloat(short half) {
		int magnitude = half & 0x7fff;
		int bits = (magnitude < INFINITY) ? Float.floatToIntBits((float) ASCENDING[magnitude])
				: 0x7f800000 | (magnitude & 0x3ff) << 13;
		return Float.intBitsToFloat(bits | (half & 0x8000) << 16);
	}

	/** The half that is nearest to a number, ties to even. */
	public static short floatToFloat16(float number) {
		if (Float.isNaN(number)) {
			return 0x7e00;
		}
		double magnitude = Math.min(Math.abs((double) number), ASCENDING[INFINITY]);
		int found = Arrays.binarySearch(ASCENDING, magnitude);
		int nearest = (found >= 0) ? found : nearest(-found - 2, magnitude);
		return (short) (nearest | ((Float.floatToIntBits(number) < 0) ? 0x8000 : 0));
	}

	private static int nearest(int below, double magnitude) {
		double middle = (ASCENDING[below] + ASCENDING[below + 1]) / 2;
		boolean isUp = (magnitude == middle) ? (below & 1) == 1 : magnitude > middle;
		return isUp ? below + 1 : below;
	}

}
