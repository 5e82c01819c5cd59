package io.ringkernel.sample.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What was found, and how long it took.
 *
 * @param passages how many passages were searched
 * @param hits what was found, the nearest first
 * @param timing what each part took
 * @param alsoFoundByPlainLoop how many of the hits a plain loop on the CPU has found too
 */
public record SearchAnswer(int passages, List<Hit> hits, Timing timing, int alsoFoundByPlainLoop) {

	/**
	 * A noun that was found.
	 *
	 * @param id its id
	 * @param words the words that mean this, the usual one first
	 * @param definition what they mean
	 * @param category what the noun denotes
	 * @param score the cosine between the vectors of the query and of the noun
	 */
	public record Hit(String id, List<String> words, String definition, String category, double score) {
	}

	/**
	 * Durations in microseconds.
	 *
	 * @param embedding making a vector of the query; 0 if it was stored
	 * @param search the search in the vector store, from the vector to the documents
	 * @param device what a worker on the device took for its share of the vectors, as the
	 * device's clock says; {@code null} if the kernel runs on the CPU
	 * @param plainLoop the same search by a loop in Java on one thread
	 */
	public record Timing(double embedding, double search, @Nullable Double device, double plainLoop) {
	}

}
