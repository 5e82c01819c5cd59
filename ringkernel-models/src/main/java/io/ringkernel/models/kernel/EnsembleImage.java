package io.ringkernel.models.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

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
	 * {@return the stamp, never 0, which tells images apart: equal images have equal
	 * stamps}
	 */
	public long stamp() {
		return this.words[ImageLayout.STAMP];
	}

	/**
	 * {@return the number of words}
	 */
	public int length() {
		return this.words.length;
	}

	/**
	 * Makes the requests that store this image. Each is sent when the one before is
	 * answered. The first one leaves a mark in place of the stamp, which no other
	 * requests have. The following ones are stale where they do not find it: the kernel
	 * has another state than the one that the words before are in. So a half has no stamp
	 * until all of its words are there, and the sender begins again.
	 * @param half a half of the state
	 * @param mostWords the most words of a request
	 * @return the requests
	 */
	public List<ScoreRequest> loads(int half, int mostWords) {
		List<ScoreRequest> loads = new ArrayList<>();
		long mark = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
		loads.add(ScoreRequest.load(half, 0, ImageLayout.STAMP, new long[] { mark }));
		for (int from = ImageLayout.STAMP + 1; from < this.words.length; from += mostWords) {
			int to = Math.min(this.words.length, from + mostWords);
			loads.add(ScoreRequest.load(half, mark, from, Arrays.copyOfRange(this.words, from, to)));
		}
		loads.add(ScoreRequest.load(half, mark, ImageLayout.STAMP, new long[] { stamp() }));
		return loads;
	}

}
