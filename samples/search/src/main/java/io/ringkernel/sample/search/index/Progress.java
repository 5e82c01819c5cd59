package io.ringkernel.sample.search.index;

import org.jspecify.annotations.Nullable;

/**
 * How far the passages are embedded.
 *
 * @param state what the indexing does
 * @param embedded how many passages are found by a search
 * @param total how many there are; 0 until they have been read
 * @param passagesPerSecond how many are embedded in a second; 0 if nothing was embedded
 * since the start
 * @param problem why it waits or has ended, with what to do; or {@code null}
 */
public record Progress(State state, int embedded, int total, double passagesPerSecond, @Nullable String problem) {

	/** What the indexing does. */
	public enum State {

		/** Reads the corpus, and what was embedded before. */
		READING,

		/** Embeds passages. */
		EMBEDDING,

		/** Waits until the kernel takes passages again. */
		WAITING,

		/** All passages are embedded. */
		READY,

		/** Has ended before its time. */
		FAILED

	}

}
