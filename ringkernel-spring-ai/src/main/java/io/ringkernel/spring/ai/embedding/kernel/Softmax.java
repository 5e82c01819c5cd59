package io.ringkernel.spring.ai.embedding.kernel;

/**
 * The weights of an attention.
 */
final class Softmax {

	/** From here on the exponential is less than any normal float. */
	private static final float LEAST = -87;

	private static final float LOG2_E = 1.442695f;

	/** What is added to it and taken away again is rounded to an integer. */
	private static final float ROUNDER = 0x1.8p23f;

	private static final int FRACTION_BITS = 23;

	private Softmax() {
	}

	/** Makes weights of scores, which have a sum of 1. */
	static void apply(float[] scores, int count) {
		float greatest = scores[0];
		for (int i = 1; i < count; i++) {
			if (scores[i] > greatest) {
				greatest = scores[i];
			}
		}
		float total = 0;
		for (int i = 0; i < count; i++) {
			scores[i] = exponential(scores[i] - greatest);
			total += scores[i];
		}
		for (int i = 0; i < count; i++) {
			scores[i] /= total;
		}
	}

	/**
	 * Errs by 2<sup>-23</sup> of the result at most, for 0 or less: {@link Math#exp}
	 * computes in double precision. The coefficients are those of Cephes,
	 * <code>expf.c</code>.
	 */
	static float exponential(float x) {
		float bounded = (x < LEAST) ? LEAST : x;
		float rounded = bounded * LOG2_E + ROUNDER;
		float power = rounded - ROUNDER;
		// The logarithm of 2 in two parts: no bit of the first product is rounded.
		float r = (bounded - power * 0x1.63p-1f) + power * 2.1219444e-4f;
		float p = 1.9875691e-4f;
		p = p * r + 0.0013981999f;
		p = p * r + 0.008333452f;
		p = p * r + 0.041665796f;
		p = p * r + 0.16666666f;
		p = p * r + 0.5f;
		p = p * r * r + r + 1;
		return Float.intBitsToFloat(Float.floatToRawIntBits(p) + (Float.floatToRawIntBits(rounded) << FRACTION_BITS));
	}

}
