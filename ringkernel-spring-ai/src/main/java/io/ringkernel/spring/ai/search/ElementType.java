package io.ringkernel.spring.ai.search;

/**
 * As what the kernel keeps the elements of vectors. What is shorter takes less memory and
 * is read sooner, and finds rows by rounded vectors. The store then compares some more
 * rows than are wanted by the vectors that were added.
 *
 * @since 0.2.0
 */
public enum ElementType {

	/** As they are: four bytes. */
	FLOAT32(Float.BYTES),

	/** As IEEE 754 half precision: two bytes. There is none beyond 65,504. */
	FLOAT16(Short.BYTES),

	/**
	 * As multiples of a 127th of the largest element of their vector: one byte, and four
	 * for each vector.
	 */
	INT8(Byte.BYTES);

	/** Rows beyond those that are wanted. The border of many has few neighbours. */
	private static final int MOST_SPARE = 64;

	private final int elementBytes;

	ElementType(int elementBytes) {
		this.elementBytes = elementBytes;
	}

	/**
	 * How large an element is.
	 * @return a count of bytes
	 */
	public int elementBytes() {
		return this.elementBytes;
	}

	/**
	 * The largest element that can be kept.
	 * @return a magnitude
	 */
	public float largest() {
		return (this == FLOAT16) ? Half.LARGEST : Float.MAX_VALUE;
	}

	/**
	 * Whether the kernel compares what was added, rather than what it was rounded to.
	 * @return whether nothing is rounded
	 */
	public boolean isExact() {
		return this == FLOAT32;
	}

	/**
	 * How many rows the kernel finds, so that the nearest by what was added are among
	 * them.
	 * @param limit how many rows are wanted
	 * @return as many, or more
	 */
	public int candidates(int limit) {
		long spare = switch (this) {
			case FLOAT32 -> 0;
			case FLOAT16 -> Math.min(limit / 2 + 1, MOST_SPARE);
			case INT8 -> Math.min(limit + 6L, MOST_SPARE);
		};
		return (int) Math.min(limit + spare, Integer.MAX_VALUE);
	}

	/** Makes elements what they are once they were kept so. The image does the same. */
	void round(float[] elements, int offset, int length) {
		int end = offset + length;
		switch (this) {
			case FLOAT32 -> {
			}
			case FLOAT16 -> {
				for (int i = offset; i < end; i++) {
					elements[i] = Half.round(elements[i]);
				}
			}
			case INT8 -> {
				float largest = 0;
				for (int i = offset; i < end; i++) {
					largest = Math.max(largest, Math.abs(elements[i]));
				}
				float scale = largest / Byte.MAX_VALUE;
				for (int i = offset; scale > 0 && i < end; i++) {
					elements[i] = (float) Math.rint(elements[i] / scale) * scale;
				}
			}
		}
	}

}
