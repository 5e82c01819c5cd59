package io.ringkernel.sample.neighbours;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Bounds of the nearest-neighbour kernel.
 *
 * @param dimensions elements of every vector; 1 to 16384
 * @param capacity the most vectors that are stored; at least 1, and whole groups of 32 of
 * at most 2³¹ - 9 elements in all
 */
@ConfigurationProperties("sample.nearest-neighbours")
record NearestNeighboursProperties(@DefaultValue("128") int dimensions, @DefaultValue("100000") int capacity) {

	/** The longest array that every JVM has. */
	private static final int MAX_ELEMENTS = Integer.MAX_VALUE - 8;

	NearestNeighboursProperties {
		require("dimensions", dimensions, NeighbourRequest.MAX_FLOATS);
		require("capacity", capacity, MAX_ELEMENTS / dimensions / VectorRows.GROUP * VectorRows.GROUP);
	}

	private static void require(String property, int value, int max) {
		if (value < 1 || value > max) {
			throw new IllegalArgumentException(
					"sample.nearest-neighbours.%s = %d is out of range. Set it to a value from 1 to %d."
						.formatted(property, value, max));
		}
	}

}
