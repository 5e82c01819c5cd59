package io.ringkernel.spring;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Finds the name that a misspelt one probably stands for.
 *
 * @since 0.2.0
 */
public final class NearestName {

	private NearestName() {
	}

	/**
	 * The nearest of some names, if it is near: at most a third of the longer name
	 * differs, and at least one character agrees.
	 * @param name the name as it was written
	 * @param candidates the names that exist
	 * @return the nearest candidate; nothing if none is near
	 */
	public static Optional<String> to(String name, Collection<String> candidates) {
		return candidates.stream()
			.min(Comparator.comparingInt((candidate) -> distance(name, candidate)))
			.filter((nearest) -> isNear(name, nearest));
	}

	private static boolean isNear(String name, String candidate) {
		int longer = Math.max(name.length(), candidate.length());
		int distance = distance(name, candidate);
		return distance <= Math.max(1, longer / 3) && distance < longer;
	}

	/** The Levenshtein distance, a row of the matrix at a time. */
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
