package io.ringkernel.spring.ai.embedding.model;

/**
 * The shape of a BERT encoder. The kernel has a shard of each layer for each head of its
 * attention, which sets the limits.
 *
 * @param vocabulary how many tokens there are
 * @param positions the most tokens of a text
 * @param hidden the elements of a token's state, and of a vector: a multiple of
 * {@value #HEAD}, at most {@value #MAX_HIDDEN}
 * @param heads the heads of an attention, each of {@value #HEAD} elements
 * @param layers how many layers there are
 * @param intermediate the elements between the two matrices of a layer: for each head a
 * multiple of {@value #HEAD}, at most {@value #MAX_SLICE}
 * @param epsilon what is added to a variance before a state is divided by its root
 * @since 0.2.0
 */
public record EncoderShape(int vocabulary, int positions, int hidden, int heads, int layers, int intermediate,
		float epsilon) {

	/** The elements of a head. */
	public static final int HEAD = 32;

	/** The most elements of a vector. */
	public static final int MAX_HIDDEN = 384;

	/** The most elements of the intermediate layer for each head. */
	public static final int MAX_SLICE = 128;

	/**
	 * Checks the shape.
	 * @param vocabulary how many tokens there are
	 * @param positions the most tokens of a text
	 * @param hidden the elements of a vector
	 * @param heads the heads of an attention
	 * @param layers how many layers there are
	 * @param intermediate the elements between the two matrices of a layer
	 * @param epsilon what is added to a variance
	 * @throws InvalidEncoderException if the kernel does not take it
	 */
	public EncoderShape {
		positive("vocabulary", vocabulary);
		positive("positions", positions);
		positive("layers", layers);
		positive("heads", heads);
		if (hidden < HEAD || hidden > MAX_HIDDEN || hidden % HEAD != 0) {
			throw new InvalidEncoderException(
					"hidden is %d. Take a model whose vectors have a multiple of %d elements, at most %d."
						.formatted(hidden, HEAD, MAX_HIDDEN));
		}
		if (heads * HEAD != hidden) {
			throw new InvalidEncoderException(
					"heads is %d, and hidden is %d. Take a model whose heads have %d elements each.".formatted(heads,
							hidden, HEAD));
		}
		if (intermediate < 1 || intermediate % (heads * HEAD) != 0 || intermediate > heads * MAX_SLICE) {
			throw new InvalidEncoderException(
					"intermediate is %d, and heads is %d. Take a model that has a multiple of %d elements for each head there, at most %d."
						.formatted(intermediate, heads, HEAD, MAX_SLICE));
		}
		if (!(epsilon > 0 && epsilon < 1)) {
			throw new InvalidEncoderException(
					"epsilon is %s. Take a model where it is above 0 and below 1.".formatted(epsilon));
		}
		if ((long) vocabulary * hidden > Integer.MAX_VALUE || (long) positions * hidden > Integer.MAX_VALUE) {
			throw new InvalidEncoderException(
					"vocabulary is %d, positions is %d, and hidden is %d. Take a model whose embeddings have at most %d elements."
						.formatted(vocabulary, positions, hidden, Integer.MAX_VALUE));
		}
	}

	private static void positive(String field, int value) {
		if (value < 1) {
			throw new InvalidEncoderException("%s is %d. Take a model where it is 1 or more.".formatted(field, value));
		}
	}

}
