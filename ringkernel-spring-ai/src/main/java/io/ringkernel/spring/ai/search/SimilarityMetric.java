package io.ringkernel.spring.ai.search;

/**
 * How near two vectors are. The kernel compares by a similarity, of which more is nearer.
 * The <em>score</em> and the <em>distance</em> of a document follow from it.
 *
 * @since 0.2.0
 */
public enum SimilarityMetric {

	/**
	 * The cosine of the angle between both; the score is from -1 to 1. That with a vector
	 * of zeros is 0.
	 */
	COSINE,

	/** The dot product, which is the score. */
	DOT_PRODUCT,

	/** The Euclidean distance d; the score is 1 / (1 + d), from 0 to 1. */
	EUCLIDEAN;

	/**
	 * Makes a vector what the kernel compares.
	 * @param vector the vector, as it was embedded
	 * @return the vector itself, or another of the same length
	 */
	public float[] prepare(float[] vector) {
		if (this != COSINE) {
			return vector;
		}
		float[] normalized = vector.clone();
		prepare(normalized, 0, normalized.length);
		return normalized;
	}

	/**
	 * Makes a vector within an array what the kernel compares.
	 * @param all holds the vector, as it was embedded
	 * @param offset where that begins
	 * @param length its elements
	 */
	public void prepare(float[] all, int offset, int length) {
		if (this != COSINE) {
			return;
		}
		double squares = squares(all, offset, length);
		double factor = (squares > 0) ? 1 / Math.sqrt(squares) : 0;
		float rounded = (float) factor;
		if (rounded >= Float.MIN_NORMAL && rounded <= Float.MAX_VALUE) {
			// The compiler makes vector instructions of this one.
			for (int i = offset; i < offset + length; i++) {
				all[i] *= rounded;
			}
		}
		else {
			for (int i = offset; i < offset + length; i++) {
				all[i] = (float) (all[i] * factor);
			}
		}
	}

	/** Eight sums, because one would make every addition wait for the one before it. */
	private static double squares(float[] all, int offset, int length) {
		double s0 = 0;
		double s1 = 0;
		double s2 = 0;
		double s3 = 0;
		double s4 = 0;
		double s5 = 0;
		double s6 = 0;
		double s7 = 0;
		int i = offset;
		for (; i <= offset + length - 8; i += 8) {
			s0 += square(all[i]);
			s1 += square(all[i + 1]);
			s2 += square(all[i + 2]);
			s3 += square(all[i + 3]);
			s4 += square(all[i + 4]);
			s5 += square(all[i + 5]);
			s6 += square(all[i + 6]);
			s7 += square(all[i + 7]);
		}
		for (; i < offset + length; i++) {
			s0 += square(all[i]);
		}
		return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
	}

	private static double square(double element) {
		return element * element;
	}

	/**
	 * The distance of two vectors.
	 * @param similarity what the kernel computed
	 * @return the less, the nearer
	 */
	public double distance(float similarity) {
		return switch (this) {
			case COSINE -> 1 - score(similarity);
			case DOT_PRODUCT -> -score(similarity);
			case EUCLIDEAN -> Math.sqrt(-similarity);
		};
	}

	/**
	 * The score of a document.
	 * @param similarity what the kernel computed
	 * @return the more, the nearer
	 */
	public double score(float similarity) {
		return switch (this) {
			// Rounding may leave the range.
			case COSINE -> Math.max(-1, Math.min(1, similarity));
			case DOT_PRODUCT -> similarity;
			case EUCLIDEAN -> 1 / (1 + distance(similarity));
		};
	}

	/**
	 * The similarity of two vectors, as the kernel computes it on the CPU.
	 * @param all holds one of them, as {@link #prepare} has made it
	 * @param offset where that begins
	 * @param vector the other one, prepared as well
	 * @return the more, the nearer
	 */
	public float similarity(float[] all, int offset, float[] vector) {
		float similarity = (this == EUCLIDEAN) ? -LaneSums.QUICKEST.squaredDistance(all, offset, vector)
				: LaneSums.QUICKEST.dotProduct(all, offset, vector);
		// Sums of huge elements overflow: what is no number has no place in an order.
		return Float.isNaN(similarity) ? Float.NEGATIVE_INFINITY : similarity;
	}

}
