package io.ringkernel.spring.ai.graph;

import io.github.jbellis.jvector.graph.similarity.BuildScoreProvider;
import io.github.jbellis.jvector.graph.similarity.DefaultSearchScoreProvider;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction.ExactScoreFunction;
import io.github.jbellis.jvector.graph.similarity.SearchScoreProvider;
import io.github.jbellis.jvector.vector.types.VectorFloat;
import io.ringkernel.spring.ai.search.SimilarityMetric;

/**
 * Compares points by their rounded vectors. JVector wants scores that are at least 0, of
 * which more is nearer.
 */
final class GraphScores implements BuildScoreProvider {

	/**
	 * What the squared length of the first vector counts, by which others are measured. A
	 * float tells large scores apart, however large, but not those that differ from 1 by
	 * less than 6e-8: those of vectors that are far shorter than the first one.
	 */
	private static final double UNIT_PER_SQUARE = 1e-12;

	private final SimilarityMetric metric;

	private final GraphVectors vectors;

	private final GraphPoints points;

	/** Scores of vectors that are all short would be the same without it. */
	private volatile double unit;

	GraphScores(SimilarityMetric metric, GraphVectors vectors, GraphPoints points) {
		this.metric = metric;
		this.vectors = vectors;
		this.points = points;
	}

	SearchScoreProvider of(RoundedVector vector) {
		ExactScoreFunction score = (node) -> score(this.vectors.similarity(node, vector));
		return new DefaultSearchScoreProvider(score);
	}

	/** Compares a vector with the first points of an array at once. */
	void of(RoundedVector vector, int[] nodes, int count, float[] results) {
		this.vectors.similarities(vector, nodes, count, results);
		for (int i = 0; i < count; i++) {
			results[i] = score(results[i]);
		}
	}

	float score(float similarity) {
		float measured = (this.unit > 0) ? (float) (similarity / this.unit) : similarity;
		return switch (this.metric) {
			case COSINE -> Math.max(0, (1 + similarity) / 2);
			case DOT_PRODUCT -> (measured < 0) ? 1 / (1 - measured) : 1 + measured;
			case EUCLIDEAN -> 1 / (1 - measured);
		};
	}

	/** Measures by the first vector that has a length, before it is connected. */
	synchronized void measureBy(RoundedVector vector) {
		float squares = vector.squares();
		if (this.unit == 0 && squares <= Float.MAX_VALUE) {
			this.unit = squares * UNIT_PER_SQUARE;
		}
	}

	@Override
	public boolean isExact() {
		return true;
	}

	@Override
	public SearchScoreProvider searchProviderFor(int node) {
		GraphPoint point = this.points.at(node);
		if (point == null) {
			throw new IllegalStateException("Node %d of the graph has no vector.".formatted(node));
		}
		return of(point.vector());
	}

	@Override
	public SearchScoreProvider diversityProviderFor(int node) {
		return searchProviderFor(node);
	}

	/**
	 * Points are added with their scores.
	 */
	@Override
	public SearchScoreProvider searchProviderFor(VectorFloat<?> vector) {
		throw new UnsupportedOperationException("Vectors of the graph are arrays.");
	}

	/**
	 * The graph begins at the point of the highest level.
	 */
	@Override
	public VectorFloat<?> approximateCentroid() {
		throw new UnsupportedOperationException("Vectors of the graph are arrays.");
	}

}
