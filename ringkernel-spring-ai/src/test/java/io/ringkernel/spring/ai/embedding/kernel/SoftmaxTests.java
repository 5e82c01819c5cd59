package io.ringkernel.spring.ai.embedding.kernel;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link Softmax}.
 */
class SoftmaxTests {

	@Test
	void hasExponentialsOfSinglePrecision() {
		double error = IntStream.rangeClosed(0, 870_000).mapToDouble((i) -> {
			float x = -i / 10_000f;
			return Math.abs(Softmax.exponential(x) / Math.exp(x) - 1);
		}).max().orElseThrow();
		assertThat(error).isLessThan(0x1p-23);
	}

	@Test
	void givesTheGreatestOfDistantScoresAll() {
		float[] scores = { -1000, 3, Float.NEGATIVE_INFINITY, 7 };
		Softmax.apply(scores, 2);
		assertThat(scores).containsExactly(new float[] { 0, 1, Float.NEGATIVE_INFINITY, 7 }, within(1e-37f));
	}

	@Test
	void hasASumOfOne() {
		float[] scores = { 1, -2, 0.5f, 88, 87, 86.5f };
		Softmax.apply(scores, scores.length);
		assertThat(IntStream.range(0, scores.length).mapToDouble((i) -> scores[i]).sum()).isCloseTo(1, within(1e-6));
		assertThat((double) scores[4] / scores[3]).isCloseTo(Math.exp(-1), within(1e-6));
	}

}
