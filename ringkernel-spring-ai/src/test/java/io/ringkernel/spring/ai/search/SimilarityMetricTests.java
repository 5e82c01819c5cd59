package io.ringkernel.spring.ai.search;

import java.util.Arrays;

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
	void cosinePreparesAVectorWithinAnArrayAlike() {
		float[] vector = new float[77];
		for (int i = 0; i < vector.length; i++) {
			vector[i] = (float) Math.sin(i);
		}
		float[] all = new float[100];
		Arrays.fill(all, 9);
		System.arraycopy(vector, 0, all, 10, vector.length);
		SimilarityMetric.COSINE.prepare(all, 10, vector.length);
		assertThat(Arrays.copyOfRange(all, 10, 10 + vector.length)).isEqualTo(SimilarityMetric.COSINE.prepare(vector));
		assertThat(all[9] + all[10 + vector.length]).isEqualTo(18);
	}

	@Test
	void cosineNormalizesVectorsOfAnyLength() {
		for (float length : new float[] { Float.MIN_VALUE * 8, 1e-30f, 1, 1e30f }) {
			assertThat(SimilarityMetric.COSINE.prepare(new float[] { 0, -length })).containsExactly(0, -1);
		}
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
