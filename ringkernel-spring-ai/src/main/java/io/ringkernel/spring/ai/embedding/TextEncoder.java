package io.ringkernel.spring.ai.embedding;

import java.util.List;

/**
 * Makes vectors of tokens.
 */
interface TextEncoder {

	/**
	 * Encodes texts.
	 * @param tokens for each text its tokens: 1 to {@link #maxTokens()}, each an index
	 * into the vocabulary
	 * @return for each text its vector, of length 1
	 */
	List<float[]> encode(List<int[]> tokens);

	/**
	 * How long a text may be.
	 * @return the most tokens
	 */
	int maxTokens();

}
