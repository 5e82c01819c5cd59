package io.ringkernel.compiler.corpus;

import java.util.Random;

/**
 * Inputs that are the same in each run: ordinary numbers, with the usual traps among
 * them.
 */
final class Inputs {

	/** Around the number of lanes of a warp, and the partial results of a reduction. */
	static final int[] LENGTHS = { 0, 1, 31, 32, 33, 100, 255, 256, 257, 1000 };

	static final float[] FLOATS = { 0f, -0f, 1f, -1f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY,
			Float.MIN_VALUE, -Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE, 3e9f, -3e9f, 1e19f, 0.5f, 1.5f,
			2.5f };

	static final int[] INTS = { 0, 1, -1, 2, 31, 32, 33, 63, 64, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x8000, 0xff80 };

	private Inputs() {
	}

	static float[] floats(int length, int seed) {
		Random random = new Random(seed);
		float[] values = new float[length];
		for (int i = 0; i < length; i++) {
			values[i] = (random.nextFloat() - 0.5f) * 100;
		}
		return values;
	}

	static int[] ints(int length, int seed) {
		return new Random(seed).ints(length).toArray();
	}

}
