package io.ringkernel.sample.neighbours;

import java.util.Comparator;

/**
 * A vector that was found. The nearer comes first; of two at the same distance, the one
 * with the smaller id.
 *
 * @param distance its squared Euclidean distance
 */
record Neighbour(int id, float distance) implements Comparable<Neighbour> {

	private static final Comparator<Neighbour> ORDER = Comparator.comparingDouble(Neighbour::distance)
		.thenComparingInt(Neighbour::id);

	@Override
	public int compareTo(Neighbour other) {
		return ORDER.compare(this, other);
	}

}
