package io.ringkernel.spring.ai.embedding.kernel;

import io.ringkernel.Capacity;

/**
 * One request to the kernel. The array that an operation does not use is empty.
 *
 * @param operation what to do
 * @param stamp the stamp of the model that is to encode; of words, what has to be in
 * place of the stamp, or 0 if they are stored whatever is there
 * @param offset where words are stored, from the beginning of the image
 * @param tokens the tokens of a text, each an index into the vocabulary
 * @param words words to store
 * @since 0.2.0
 */
public record EncoderRequest(EncoderOperation operation, long stamp, int offset, @Capacity(MAX_TOKENS) int[] tokens,
		@Capacity(MAX_WORDS) int[] words) {

	/** The most tokens of a text. */
	public static final int MAX_TOKENS = 512;

	/** The most words of one request: 64 KiB. */
	public static final int MAX_WORDS = 1 << 14;

	private static final int[] NONE = {};

	/**
	 * Asks for the vector of a text.
	 * @param stamp the stamp of the model
	 * @param tokens the tokens; 1 to as many as the model takes
	 * @return the request
	 */
	public static EncoderRequest encode(long stamp, int[] tokens) {
		return new EncoderRequest(EncoderOperation.ENCODE, stamp, 0, tokens, NONE);
	}

	/**
	 * Stores words.
	 * @param stamp what has to be in place of the stamp still; 0 if whatever is
	 * @param offset where they begin in the image
	 * @param words the words
	 * @return the request
	 */
	public static EncoderRequest load(long stamp, int offset, int[] words) {
		return new EncoderRequest(EncoderOperation.LOAD, stamp, offset, NONE, words);
	}

}
