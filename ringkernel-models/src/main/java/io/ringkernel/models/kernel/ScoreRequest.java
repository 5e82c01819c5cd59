package io.ringkernel.models.kernel;

import io.ringkernel.Capacity;

/**
 * A request to the kernel of an ensemble. Handlers make requests, too, so these have no
 * arrays of static fields, which a device cannot put into a record.
 *
 * @param operation what it asks for
 * @param half the half of the state that it is for: 0 or 1
 * @param offset where words are stored, from the beginning of the half
 * @param stamp the stamp of the image that has to be there; 0 if words are stored
 * whatever is there
 * @param features the features of rows, row by row
 * @param words words to store
 * @since 0.2.0
 */
public record ScoreRequest(ScoreOperation operation, int half, int offset, long stamp,
		@Capacity(ScoreRequest.MAX_FLOATS) float[] features, @Capacity(ScoreRequest.MAX_WORDS) long[] words) {

	/** The most features of a request, over all rows. */
	public static final int MAX_FLOATS = 1 << 15;

	/** The most words of a request. */
	public static final int MAX_WORDS = 1 << 13;

	/**
	 * {@return a request for the margins of rows}
	 * @param half the half of the state that has the image
	 * @param stamp the stamp of the image
	 * @param features the features, row by row
	 */
	public static ScoreRequest score(int half, long stamp, float[] features) {
		return new ScoreRequest(ScoreOperation.SCORE, half, 0, stamp, features, new long[0]);
	}

	/**
	 * {@return a request to store words where what was stored before still is}
	 * @param half a half of the state
	 * @param stamp what has to be in place of the stamp; 0 for whatever is there
	 * @param offset where they begin in the half
	 * @param words the words
	 */
	public static ScoreRequest load(int half, long stamp, int offset, long[] words) {
		return new ScoreRequest(ScoreOperation.LOAD, half, offset, stamp, new float[0], words);
	}

}
