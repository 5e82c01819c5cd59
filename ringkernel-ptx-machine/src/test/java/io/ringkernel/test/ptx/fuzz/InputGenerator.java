package io.ringkernel.test.ptx.fuzz;

import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;

import io.ringkernel.test.ptx.fuzz.Input.Mode;
import io.ringkernel.test.ptx.fuzz.Input.Point;

/**
 * Makes requests of the values at which arithmetic is not what it seems.
 */
final class InputGenerator {

	private static final int[] INTS = { 0, 1, -1, 31, 32, Integer.MAX_VALUE, Integer.MIN_VALUE };

	private static final float[] FLOATS = { 0, -0f, 1, -1, Float.NaN, Float.MIN_VALUE, Float.MAX_VALUE,
			Float.POSITIVE_INFINITY, 0.3f };

	private static final double[] DOUBLES = { 0, -0d, 1, Double.NaN, Double.MIN_VALUE, -Double.MAX_VALUE,
			Double.NEGATIVE_INFINITY, 0.3 };

	private static final String[] TEXTS = { "", "a", "text", "other", "gr\u00fc\u00df", "\ud83d\ude00b" };

	/** Around the size of a warp, and of two. */
	private static final int[] LENGTHS = { 0, 1, 2, 31, 32, 33, 63, 64, 65, 80 };

	private final Random random;

	InputGenerator(long seed) {
		this.random = new Random(seed);
	}

	Input next() {
		return new Input(integer(), integer(), wide(), single(), real(), this.random.nextBoolean(),
				Mode.values()[this.random.nextInt(Mode.values().length)],
				this.random.nextBoolean() ? OptionalInt.of(integer()) : OptionalInt.empty(),
				new Point((short) integer(), wide()), ints(), floats(), doubles(), bytes(),
				TEXTS[this.random.nextInt(TEXTS.length)]);
	}

	private int integer() {
		return this.random.nextBoolean() ? this.random.nextInt() : INTS[this.random.nextInt(INTS.length)];
	}

	private long wide() {
		return (long) integer() << 32 ^ integer();
	}

	private float single() {
		return this.random.nextBoolean() ? Float.intBitsToFloat(this.random.nextInt())
				: FLOATS[this.random.nextInt(FLOATS.length)];
	}

	private double real() {
		return this.random.nextBoolean() ? Double.longBitsToDouble(this.random.nextLong())
				: DOUBLES[this.random.nextInt(DOUBLES.length)];
	}

	private int length() {
		return LENGTHS[this.random.nextInt(LENGTHS.length)];
	}

	private int[] ints() {
		return IntStream.range(0, length()).map((i) -> integer()).toArray();
	}

	private float[] floats() {
		float[] floats = new float[length()];
		for (int i = 0; i < floats.length; i++) {
			floats[i] = single();
		}
		return floats;
	}

	private byte[] bytes() {
		byte[] bytes = new byte[length()];
		this.random.nextBytes(bytes);
		return bytes;
	}

	private double[] doubles() {
		return IntStream.range(0, length()).mapToDouble((i) -> real()).toArray();
	}

}
