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

	private static final EncoderShape SHAPE = new EncoderShape(7, 5, 384, 12, 2, 1536, 1e-12f);

	private static EncoderWeights weights(int words, int positions, int tokenType, int queries, int inner, int layers) {
		EncoderWeights.Norm norm = new EncoderWeights.Norm(new float[384], new float[384]);
		EncoderWeights.Dense dense = dense(384, 384);
		EncoderWeights.Layer layer = new EncoderWeights.Layer(dense(queries, 384), dense, dense, dense, norm,
				dense(inner, 384), dense(384, inner), norm);
		return new EncoderWeights(SHAPE, new float[words * 384], new float[positions * 384], new float[tokenType], norm,
				Collections.nCopies(layers, layer));
	}

	private static EncoderWeights.Dense dense(int products, int factors) {
		return new EncoderWeights.Dense(new float[products * factors], new float[products]);
	}

	@Test
	void takesWeightsOfTheShape() {
		assertThat(weights(7, 5, 384, 384, 1536, 2).layers()).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource({ "6, 5, 384, 384, 1536, 2, words has 2304 elements. The shape of the model takes 2688",
			"7, 6, 384, 384, 1536, 2, positions has 2304", "7, 5, 383, 384, 1536, 2, tokenType has 383",
			"7, 5, 384, 400, 1536, 2, layers[0].query.weight has 153600 elements",
			"7, 5, 384, 384, 1535, 2, layers[0].intermediate.weight has 589440 elements",
			"7, 5, 384, 384, 1536, 3, layers has 3 elements. The shape has 2" })
	void refusesArraysOfAnotherLength(int words, int positions, int tokenType, int queries, int inner, int layers,
			String message) {
		assertThatExceptionOfType(InvalidEncoderException.class)
			.isThrownBy(() -> weights(words, positions, tokenType, queries, inner, layers))
			.withMessageContaining(message);
	}

	@ParameterizedTest
	@CsvSource({ "0, 5, 384, 12, 2, 1536, 1e-12, vocabulary is 0", "7, 0, 384, 12, 2, 1536, 1e-12, positions is 0",
			"7, 5, 768, 12, 2, 1536, 1e-12, hidden is 768", "7, 5, 384, 6, 2, 1536, 1e-12, heads is 6",
			"7, 5, 384, 12, 0, 1536, 1e-12, layers is 0", "7, 5, 384, 12, 2, 3072, 1e-12, intermediate is 3072",
			"7, 5, 384, 12, 2, 1536, 0, epsilon is 0", "7, 5, 384, 12, 2, 1536, NaN, epsilon is NaN",
			"2147483647, 5, 384, 12, 2, 1536, 1e-12, vocabulary is 2147483647" })
	void refusesShapesThatTheKernelDoesNotTake(int vocabulary, int positions, int hidden, int heads, int layers,
			int intermediate, float epsilon, String message) {
		assertThatExceptionOfType(InvalidEncoderException.class)
			.isThrownBy(() -> new EncoderShape(vocabulary, positions, hidden, heads, layers, intermediate, epsilon))
			.withMessageContaining(message)
			.withMessageContaining("Take a model");
	}

	@Test
	void keepsLayersThatTheCallerChangesLater() {
		List<EncoderWeights.Layer> layers = new ArrayList<>(weights(7, 5, 384, 384, 1536, 2).layers());
		EncoderWeights weights = new EncoderWeights(SHAPE, new float[7 * 384], new float[5 * 384], new float[384],
				layers.get(0).attentionNorm(), layers);
		layers.clear();
		assertThat(weights.layers()).hasSize(2);
	}

}
