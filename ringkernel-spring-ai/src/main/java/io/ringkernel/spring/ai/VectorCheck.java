package io.ringkernel.spring.ai;

import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.jspecify.annotations.Nullable;

/**
 * Refuses vectors that the store cannot hold. One element that is no number would spoil
 * every comparison.
 */
record VectorCheck(int dimensions, SimilarityMetric metric, ElementType elementType) {

	/** Requires a vector of the model, or throws an {@link IllegalStateException}. */
	float[] embedded(float[] vector) {
		if (vector.length != this.dimensions) {
			throw new IllegalStateException(
					"The embedding model has made a vector of %d dimensions, but the store has %d. Use the model that the documents were embedded with, or an empty store, and leave spring.ai.vectorstore.ringkernel.dimensions out."
						.formatted(vector.length, this.dimensions));
		}
		String problem = problem(vector);
		if (problem != null) {
			throw new IllegalStateException("The embedding model has made a vector whose " + problem);
		}
		return vector;
	}

	/** Requires a vector of the caller, or throws an {@link IllegalArgumentException}. */
	float[] given(String subject, float[] vector) {
		if (vector.length != this.dimensions) {
			throw new IllegalArgumentException(
					"%s has %d dimensions, but the store has %d. Pass one that the embedding model of the store has made."
						.formatted(subject, vector.length, this.dimensions));
		}
		String problem = problem(vector);
		if (problem != null) {
			throw new IllegalArgumentException("%s is refused: its %s".formatted(subject, problem));
		}
		return vector;
	}

	private @Nullable String problem(float[] vector) {
		for (int i = 0; i < vector.length; i++) {
			if (!Float.isFinite(vector[i])) {
				return "element %d is %s.".formatted(i, vector[i]);
			}
			if (Math.abs(vector[i]) > this.elementType.largest() && this.metric != SimilarityMetric.COSINE) {
				return "element %d is %s; float16 holds at most %s. Set spring.ai.vectorstore.ringkernel.storage to float32 or int8."
					.formatted(i, vector[i], this.elementType.largest());
			}
		}
		return null;
	}

}
