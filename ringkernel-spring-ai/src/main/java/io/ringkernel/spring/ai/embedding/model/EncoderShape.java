package io.ringkernel.spring.ai.embedding.model;

/**
 * The shape of a BERT encoder. The kernel takes those that MiniLM, E5 and GTE call small:
 * its code has their sizes, as a size that is known when it is compiled costs nothing.
 *
 * @param vocabulary how many tokens there are
 * @param positions the most tokens of a text
 * @param hidden the elements of a token's state, and of a vector: {@value #HIDDEN}
 * @param heads the heads of an attention: {@value #HEADS}
 * @param layers how many layers there are
 * @param intermediate the elements between the two matrices of a layer:
 * {@value #INTERMEDIATE}
 * @param epsilon what is added to a variance before a state is divided by its root
 * @since 0.2.0
 */
public record EncoderShape(int vocabulary, int positions, int hidden, int heads, int layers, int intermediate,
		float epsilon) {

	/** The elements of a vector. */
	public static final int HIDDEN = 384;

	/** The heads of an attention. */
	public static final int HEADS = 12;

	/** The elements between the two matrices of a layer. */
	public static final int INTERMEDIATE = 1536;

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
		taken("hidden", hidden, HIDDEN);
		taken("heads", heads, HEADS);
		taken("intermediate", intermediate, INTERMEDIATE);
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

	private static void taken(String field, int value, int taken) {
		if (value != taken) {
			throw new InvalidEncoderException(
					"%s is %d. Take a model where it is %d, such as all-MiniLM-L6-v2, e5-small-v2 or gte-small."
						.formatted(field, value, taken));
		}
	}

	private static void positive(String field, int value) {
		if (value < 1) {
			throw new InvalidEncoderException("%s is %d. Take a model where it is 1 or more.".formatted(field, value));
		}
	}

}
