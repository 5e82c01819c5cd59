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
	COSINE {

		@Override
		public float[] prepare(float[] vector) {
			double squares = squares(vector);
			double factor = (squares > 0) ? 1 / Math.sqrt(squares) : 0;
			float[] normalized = new float[vector.length];
			for (int i = 0; i < vector.length; i++) {
				normalized[i] = (float) (vector[i] * factor);
			}
			return normalized;
		}

		/*
		 * Four sums, because one would make every addition wait for the one before it.
		 */
		private double squares(float[] vector) {
			double s0 = 0;
			double s1 = 0;
			double s2 = 0;
			double s3 = 0;
			int i = 0;
			for (; i <= vector.length - 4; i += 4) {
				s0 += (double) vector[i] * vector[i];
				s1 += (double) vector[i + 1] * vector[i + 1];
				s2 += (double) vector[i + 2] * vector[i + 2];
				s3 += (double) vector[i + 3] * vector[i + 3];
			}
			for (; i < vector.length; i++) {
				s0 += (double) vector[i] * vector[i];
			}
			return (s0 + s1) + (s2 + s3);
		}

		@Override
		public double distance(float similarity) {
			return 1 - score(similarity);
		}

		@Override
		public double score(float similarity) {
			// Rounding may leave the range.
			return Math.max(-1, Math.min(1, similarity));
		}

	},

	/**
	 * The dot product, which is the score.
	 */
	DOT_PRODUCT {

		@Override
		public double distance(float similarity) {
			return -score(similarity);
		}

		@Override
		public double score(float similarity) {
			return similarity;
		}

	},

	/**
	 * The Euclidean distance d; the score is 1 / (1 + d), from 0 to 1.
	 */
	EUCLIDEAN {

		@Override
		public double distance(float similarity) {
			return Math.sqrt(-similarity);
		}

		@Override
		public double score(float similarity) {
			return 1 / (1 + distance(similarity));
		}

	};

	/**
	 * Makes a vector what the kernel compares.
	 * @param vector the vector, as it was embedded
	 * @return the vector itself, or another of the same length
	 */
	public float[] prepare(float[] vector) {
		return vector;
	}

	/**
	 * The distance of two vectors.
	 * @param similarity what the kernel computed
	 * @return the less, the nearer
	 */
	public abstract double distance(float similarity);

	/**
	 * The score of a document.
	 * @param similarity what the kernel computed
	 * @return the more, the nearer
	 */
	public abstract double score(float similarity);

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
