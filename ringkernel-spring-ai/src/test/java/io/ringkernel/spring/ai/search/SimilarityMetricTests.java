package io.ringkernel.spring.ai.search;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link SimilarityMetric}.
 */
class SimilarityMetricTests {

	@Test
	void cosineComparesVectorsOfLengthOne() {
		assertThat(SimilarityMetric.COSINE.prepare(new float[] { 3, -4 })).containsExactly(0.6f, -0.8f);
		assertThat(SimilarityMetric.COSINE.prepare(new float[2])).containsExactly(0, 0);
		assertThat(SimilarityMetric.COSINE.prepare(new float[] { Float.MAX_VALUE, 0 })).containsExactly(1, 0);
	}

	@Test
	void scoreOfTheCosineStaysInItsRange() {
		assertThat(SimilarityMetric.COSINE.score(1.0000001f)).isEqualTo(1);
		assertThat(SimilarityMetric.COSINE.distance(1.0000001f)).isZero();
		assertThat(SimilarityMetric.COSINE.score(-0.5f)).isEqualTo(-0.5);
	}

	@Test
	void scoreFallsAsTheDistanceGrows() {
		assertThat(SimilarityMetric.EUCLIDEAN.distance(-9)).isEqualTo(3);
		assertThat(SimilarityMetric.EUCLIDEAN.score(-9)).isCloseTo(0.25, within(1e-12));
		assertThat(SimilarityMetric.EUCLIDEAN.score(0)).isEqualTo(1);
		assertThat(SimilarityMetric.DOT_PRODUCT.score(7)).isEqualTo(7);
		assertThat(SimilarityMetric.DOT_PRODUCT.distance(7)).isEqualTo(-7);
	}

}
