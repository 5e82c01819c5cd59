package io.ringkernel.spring.ai.embedding.model;

/**
 * What a file holds of an encoder. Names are those of a BERT model of Hugging Face,
 * without what precedes {@code embeddings} and {@code encoder}. A name without a tensor
 * fails with an {@link InvalidEncoderException}.
 */
interface EncoderTensors {

	boolean has(String name);

	/** How many elements a tensor has in each direction. */
	int[] dimensions(String name);

	float[] values(String name);

	/** The matrix of a layer by its name, with a row for each element of a product. */
	float[] matrix(String layer);

	/** How many heads an attention has, whose states have so many elements. */
	int heads(int hidden);

	float epsilon();

}
