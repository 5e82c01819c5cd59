package io.ringkernel.spring;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * What somebody may have meant to write.
 */
final class NearestName {

	private NearestName() {
	}

	static Optional<String> to(String name, Collection<String> candidates) {
		return candidates.stream().min(Comparator.comparingInt((candidate) -> distance(name, candidate)));
	}

	/**
	 * The Levenshtein distance, a row of the matrix at a time.
	 */
	static int distance(String from, String to) {
		int[] previous = new int[to.length() + 1];
		for (int column = 0; column <= to.length(); column++) {
			previous[column] = column;
		}
		for (int row = 1; row <= from.length(); row++) {
			int[] current = new int[to.length() + 1];
			current[0] = row;
			for (int column = 1; column <= to.length(); column++) {
				int replaced = previous[column - 1] + ((from.charAt(row - 1) != to.charAt(column - 1)) ? 1 : 0);
				current[column] = Math.min(replaced, Math.min(previous[column], current[column - 1]) + 1);
			}
			previous = current;
		}
		return previous[to.length()];
	}

}
