package io.ringkernel.sample.neighbours;

/**
 * What a {@link NeighbourRequest} asks for.
 */
public enum Operation {

	/** Stores vectors; one that has the id of a stored vector replaces it. */
	ADD,
	/** Removes the vector with an id. */
	REMOVE,
	/** Finds the nearest vectors to a vector, among those of one shard. */
	QUERY,
	/** Removes all vectors. */
	CLEAR,
	/** Counts the vectors. */
	SIZE

}
