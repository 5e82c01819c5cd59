package io.ringkernel.spring.ai.embedding.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EncoderShape} and {@link EncoderWeights}.
 */
class EncoderWeightsTests {

	private static final EncoderShape SHAPE = new EncoderShape(7, 5, 32, 1, 2, 64, 1e-12f);

	private static EncoderWeights weights(int words, int positions, int tokenType, int queries, int inner, int layers) {
		EncoderWeights.Norm norm = new EncoderWeights.Norm(new float[32], new float[32]);
		EncoderWeights.Dense dense = dense(32, 32);
		EncoderWeights.Layer layer = new EncoderWeights.Layer(dense(queries, 32), dense, dense, dense, norm,
				dense(inner, 32), dense(32, inner), norm);
		return new EncoderWeights(SHAPE, new float[words * 32], new float[positions * 32], new float[tokenType], norm,
				Collections.nCopies(layers, layer));
	}

	private static EncoderWeights.Dense dense(int products, int factors) {
		return new EncoderWeights.Dense(new float[products * factors], new float[products]);
	}

	@Test
	void takesWeightsOfTheShape() {
		assertThat(weights(7, 5, 32, 32, 64, 2).layers()).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource({ "6, 5, 32, 32, 64, 2, words has 192 elements. The shape of the model takes 224",
			"7, 6, 32, 32, 64, 2, positions has 192", "7, 5, 31, 32, 64, 2, tokenType has 31",
			"7, 5, 32, 64, 64, 2, layers[0].query.weight has 2048 elements",
			"7, 5, 32, 32, 32, 2, layers[0].intermediate.weight has 1024 elements",
			"7, 5, 32, 32, 64, 3, layers has 3 elements. The shape has 2" })
	void refusesArraysOfAnotherLength(int words, int positions, int tokenType, int queries, int inner, int layers,
			String message) {
		assertThatExceptionOfType(InvalidEncoderException.class)
			.isThrownBy(() -> weights(words, positions, tokenType, queries, inner, layers))
			.withMessageContaining(message);
	}

	@ParameterizedTest
	@CsvSource({ "0, 5, 64, 2, 2, 128, 1e-12, vocabulary is 0", "7, 0, 64, 2, 2, 128, 1e-12, positions is 0",
			"7, 5, 768, 24, 2, 3072, 1e-12, hidden is 768", "7, 5, 48, 1, 2, 128, 1e-12, hidden is 48",
			"7, 5, 128, 2, 2, 512, 1e-12, heads is 2", "7, 5, 64, 2, 0, 128, 1e-12, layers is 0",
			"7, 5, 64, 2, 2, 512, 1e-12, intermediate is 512", "7, 5, 64, 2, 2, 96, 1e-12, intermediate is 96",
			"7, 5, 64, 2, 2, 128, 0, epsilon is 0", "7, 5, 64, 2, 2, 128, NaN, epsilon is NaN",
			"2147483647, 5, 64, 2, 2, 128, 1e-12, vocabulary is 2147483647" })
	void refusesShapesThatTheKernelDoesNotTake(int vocabulary, int positions, int hidden, int heads, int layers,
			int intermediate, float epsilon, String message) {
		assertThatExceptionOfType(InvalidEncoderException.class)
			.isThrownBy(() -> new EncoderShape(vocabulary, positions, hidden, heads, layers, intermediate, epsilon))
			.withMessageContaining(message)
			.withMessageContaining("Take a model");
	}

	@Test
	void keepsLayersThatTheCallerChangesLater() {
		List<EncoderWeights.Layer> layers = new ArrayList<>(weights(7, 5, 32, 32, 64, 2).layers());
		EncoderWeights weights = new EncoderWeights(SHAPE, new float[224], new float[160], new float[32],
				layers.get(0).attentionNorm(), layers);
		layers.clear();
		assertThat(weights.layers()).hasSize(2);
	}

}
