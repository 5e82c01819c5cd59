package io.ringkernel.spring.ai.embedding.model;

import java.util.List;

/**
 * The weights of a BERT encoder. All matrices lie row by row. The arrays are not copied,
 * and are not to be changed.
 *
 * @param shape the shape of the model
 * @param words for each token of the vocabulary a row of {@code hidden} elements
 * @param positions for each position a row of {@code hidden} elements
 * @param tokenType what is added to every token of a first text: {@code hidden} elements
 * @param norm the normalization of the embeddings
 * @param layers the layers, the first one first
 * @since 0.2.0
 */
public record EncoderWeights(EncoderShape shape, float[] words, float[] positions, float[] tokenType, Norm norm,
		List<Layer> layers) {

	/**
	 * Checks that all arrays are as long as the shape says.
	 * @param shape the shape of the model
	 * @param words the embeddings of the vocabulary
	 * @param positions the embeddings of positions
	 * @param tokenType the embedding of a first text
	 * @param norm the normalization of the embeddings
	 * @param layers the layers
	 * @throws InvalidEncoderException if one is not
	 */
	public EncoderWeights {
		layers = List.copyOf(layers);
		int hidden = shape.hidden();
		length("words", words, shape.vocabulary() * hidden);
		length("positions", positions, shape.positions() * hidden);
		length("tokenType", tokenType, hidden);
		norm.check("norm", hidden);
		if (layers.size() != shape.layers()) {
			throw new InvalidEncoderException(
					"layers has %d elements. The shape has %d layers.".formatted(layers.size(), shape.layers()));
		}
		for (int i = 0; i < layers.size(); i++) {
			layers.get(i).check("layers[%d].".formatted(i), shape);
		}
	}

	private static void length(String field, float[] values, int expected) {
		if (values.length != expected) {
			throw new InvalidEncoderException(
					"%s has %d elements. The shape of the model takes %d.".formatted(field, values.length, expected));
		}
	}

	/**
	 * A normalization of states.
	 *
	 * @param weight what each of {@code hidden} elements is multiplied by
	 * @param bias what is added to each of them then
	 */
	public record Norm(float[] weight, float[] bias) {

		private void check(String field, int hidden) {
			length(field + ".weight", this.weight, hidden);
			length(field + ".bias", this.bias, hidden);
		}

	}

	/**
	 * A matrix that states are multiplied by.
	 *
	 * @param weight for each element of a product a row with an element for each that is
	 * multiplied
	 * @param bias what is added to each element of a product
	 */
	public record Dense(float[] weight, float[] bias) {

		private void check(String field, int products, int factors) {
			length(field + ".weight", this.weight, products * factors);
			length(field + ".bias", this.bias, products);
		}

	}

	/**
	 * A layer.
	 *
	 * @param query makes queries of states
	 * @param key makes keys of states
	 * @param value makes values of states
	 * @param attentionOutput what is added to states for what was attended to
	 * @param attentionNorm the normalization after the attention
	 * @param intermediate makes {@code intermediate} elements of a state
	 * @param output makes what is added to a state of them
	 * @param outputNorm the normalization at the end
	 */
	public record Layer(Dense query, Dense key, Dense value, Dense attentionOutput, Norm attentionNorm,
			Dense intermediate, Dense output, Norm outputNorm) {

		private void check(String field, EncoderShape shape) {
			int hidden = shape.hidden();
			this.query.check(field + "query", hidden, hidden);
			this.key.check(field + "key", hidden, hidden);
			this.value.check(field + "value", hidden, hidden);
			this.attentionOutput.check(field + "attentionOutput", hidden, hidden);
			this.attentionNorm.check(field + "attentionNorm", hidden);
			this.intermediate.check(field + "intermediate", shape.intermediate(), hidden);
			this.output.check(field + "output", hidden, shape.intermediate());
			this.outputNorm.check(field + "outputNorm", hidden);
		}

	}

}
