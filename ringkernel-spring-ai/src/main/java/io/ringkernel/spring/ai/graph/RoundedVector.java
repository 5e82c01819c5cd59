package io.ringkernel.spring.ai.graph;

import java.util.Arrays;

import io.ringkernel.spring.ai.search.SimilarityMetric;

/**
 * A vector of bytes within an array, each of which counts a multiple of a scale. The
 * largest element is 127. Is equal to another one of the same bytes and scale.
 */
final class RoundedVector {

	static final RoundedVector NONE = new RoundedVector(new byte[0], 0, 0, 0, 0);

	private final byte[] all;

	private final int offset;

	private final int length;

	private final float scale;

	/** Of the elements, as they are rounded. */
	private final float squares;

	private RoundedVector(byte[] all, int offset, int length, float scale, float squares) {
		this.all = all;
		this.offset = offset;
		this.length = length;
		this.scale = scale;
		this.squares = squares;
	}

	/** Rounds a vector, as it is compared. */
	static RoundedVector of(SimilarityMetric metric, float[] vector) {
		return write(metric, vector, new byte[vector.length], 0);
	}

	static RoundedVector write(SimilarityMetric metric, float[] vector, byte[] all, int offset) {
		float largest = 0;
		for (float element : vector) {
			largest = Math.max(largest, Math.abs(element));
		}
		float scale = largest / Byte.MAX_VALUE;
		float factor = (scale > 0) ? 1 / scale : 0;
		if (factor > Float.MAX_VALUE) {
			// Elements that are that small are none.
			factor = 0;
		}
		for (int i = 0; i < vector.length; i++) {
			all[offset + i] = (byte) Math.round(vector[i] * factor);
		}
		int squares = ByteProducts.QUICKEST.dotProduct(all, offset, all, offset, vector.length);
		if (metric == SimilarityMetric.COSINE && squares > 0) {
			scale = (float) (1 / Math.sqrt(squares));
		}
		return new RoundedVector(all, offset, vector.length, scale, squares * scale * scale);
	}

	float similarity(SimilarityMetric metric, RoundedVector other) {
		return similarity(metric, other.all, other.offset, other.scale, other.squares);
	}

	float similarity(SimilarityMetric metric, byte[] others, int otherOffset, float otherScale, float otherSquares) {
		int sum = ByteProducts.QUICKEST.dotProduct(others, otherOffset, this.all, this.offset, this.length);
		return similarity(metric, sum, otherScale, otherSquares);
	}

	/** Its dot products with {@link ByteProducts#AT_ONCE} vectors within arrays. */
	void dotProducts(byte[][] others, int[] otherOffsets, int[] products) {
		ByteProducts.QUICKEST.dotProducts(this.all, this.offset, others, otherOffsets, this.length, products);
	}

	/** How similar it is to a vector, by the dot product of the elements of both. */
	float similarity(SimilarityMetric metric, int sum, float otherScale, float otherSquares) {
		float product = sum * this.scale * otherScale;
		float similarity = (metric == SimilarityMetric.EUCLIDEAN)
				? Math.min(0, 2 * product - this.squares - otherSquares) : product;
		// Sums of huge elements overflow: what is no number has no place in an order.
		return Float.isNaN(similarity) ? Float.NEGATIVE_INFINITY : similarity;
	}

	float scale() {
		return this.scale;
	}

	float squares() {
		return this.squares;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof RoundedVector vector && this.scale == vector.scale && Arrays.equals(this.all,
				this.offset, this.offset + this.length, vector.all, vector.offset, vector.offset + vector.length);
	}

	@Override
	public int hashCode() {
		int hash = Float.hashCode(this.scale);
		for (int i = 0; i < this.length; i++) {
			hash = 31 * hash + this.all[this.offset + i];
		}
		return hash;
	}

}
