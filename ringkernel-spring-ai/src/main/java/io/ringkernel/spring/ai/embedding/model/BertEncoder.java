package io.ringkernel.spring.ai.embedding.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the weights of a BERT encoder by their names.
 */
record BertEncoder(EncoderTensors tensors) {

	static final String WORDS = "embeddings.word_embeddings.weight";

	static final String NORM = "embeddings.LayerNorm";

	private static final String POSITIONS = "embeddings.position_embeddings.weight";

	private static final String TOKEN_TYPES = "embeddings.token_type_embeddings.weight";

	private static final String BIAS = ".bias";

	/** The name of a part of a layer. */
	static String layer(int index, String part) {
		return "encoder.layer.%d.%s".formatted(index, part);
	}

	static EncoderWeights read(EncoderTensors tensors) {
		return new BertEncoder(tensors).weights();
	}

	private EncoderWeights weights() {
		int hidden = table(WORDS)[1];
		EncoderShape shape = new EncoderShape(table(WORDS)[0], table(POSITIONS)[0], hidden, this.tensors.heads(hidden),
				layers(), this.tensors.dimensions(layer(0, "intermediate.dense" + BIAS))[0], this.tensors.epsilon());
		// RoBERTa has the names of BERT, but one type, and its positions begin at 2.
		int types = table(TOKEN_TYPES)[0];
		if (types != 2) {
			throw new InvalidEncoderException(
					"%s has %d rows, as in RoBERTa. Take a BERT encoder, which has 2.".formatted(TOKEN_TYPES, types));
		}
		if (this.tensors.has(layer(0, "attention.self.distance_embedding.weight"))) {
			throw new InvalidEncoderException(
					"%s is there: the positions are relative. Take a BERT encoder with absolute positions."
						.formatted(layer(0, "attention.self.distance_embedding.weight")));
		}
		return new EncoderWeights(shape, this.tensors.values(WORDS), this.tensors.values(POSITIONS),
				Arrays.copyOf(this.tensors.values(TOKEN_TYPES), hidden), norm(NORM),
				IntStream.range(0, shape.layers()).mapToObj(this::layer).toList());
	}

	private int[] table(String name) {
		int[] dimensions = this.tensors.dimensions(name);
		if (dimensions.length != 2) {
			throw new InvalidEncoderException(
					"%s has the dimensions %s. Take a BERT encoder, where it has a row for each token or position."
						.formatted(name, Arrays.toString(dimensions)));
		}
		return dimensions;
	}

	private int layers() {
		return (int) IntStream.iterate(0, (index) -> index + 1)
			.takeWhile((index) -> this.tensors.has(layer(index, "attention.self.query" + BIAS)))
			.count();
	}

	private EncoderWeights.Layer layer(int index) {
		List<EncoderWeights.Dense> dense = List
			.of("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
					"intermediate.dense", "output.dense")
			.stream()
			.map((part) -> layer(index, part))
			.map((name) -> new EncoderWeights.Dense(this.tensors.matrix(name), this.tensors.values(name + BIAS)))
			.toList();
		return new EncoderWeights.Layer(dense.get(0), dense.get(1), dense.get(2), dense.get(3),
				norm(layer(index, "attention.output.LayerNorm")), dense.get(4), dense.get(5),
				norm(layer(index, "output.LayerNorm")));
	}

	private EncoderWeights.Norm norm(String name) {
		return new EncoderWeights.Norm(this.tensors.values(name + ".weight"), this.tensors.values(name + BIAS));
	}

}
