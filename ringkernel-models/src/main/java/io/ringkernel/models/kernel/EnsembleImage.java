package io.ringkernel.models.kernel;

import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.InvalidModelException;

/**
 * An ensemble in the words in which the kernel holds it.
 *
 * @param words the words
 * @since 0.2.0
 */
public record EnsembleImage(long[] words) {

	/** The most words of an image: 256 MiB. */
	public static final int MAX_WORDS = 1 << 25;

	/** The most trees: a pass has the leaves of one row with room to spare. */
	public static final int MAX_TREES = TreeEnsembleHandler.MAX_LEAVES;

	/**
	 * Lays an ensemble out.
	 * @param forest the ensemble
	 * @return its image
	 * @throws InvalidModelException if it is too large, or damaged
	 */
	public static EnsembleImage of(Forest forest) {
		return new ImageBuilder(forest).build();
	}

	/**
	 * Tells images apart: equal images have equal stamps.
	 * @return the stamp, never 0
	 */
	public long stamp() {
		return this.words[ImageLayout.STAMP];
	}

	/**
	 * The number of words.
	 * @return the number
	 */
	public int length() {
		return this.words.length;
	}

}
