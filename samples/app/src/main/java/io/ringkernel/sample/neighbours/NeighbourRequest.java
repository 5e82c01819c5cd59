package io.ringkernel.sample.neighbours;

import io.ringkernel.Capacity;

/**
 * One request to the nearest-neighbour kernel. A request has one layout whatever it asks
 * for; arrays that an operation does not use are empty and cost nothing on the way.
 *
 * @param operation what to do
 * @param k how many neighbours to find, of a query
 * @param shard which shard of the vectors a query searches; from 0
 * @param shards how many shards there are; at least 1 for a query
 * @param ids the ids of the vectors to add or to remove
 * @param vectors the vectors to add, one after another, or the vector of a query
 */
public record NeighbourRequest(Operation operation, int k, int shard, int shards, @Capacity(MAX_IDS) int[] ids,
		@Capacity(MAX_FLOATS) float[] vectors) {

	/** The most vectors of one request. */
	public static final int MAX_IDS = 1024;

	/** The most elements of all vectors of one request: 64 KiB. */
	public static final int MAX_FLOATS = 16_384;

	/** The most neighbours that a query can ask for. */
	public static final int MAX_K = 100;

	private static final int[] NO_IDS = {};

	private static final float[] NO_VECTORS = {};

	static NeighbourRequest add(int[] ids, float[] vectors) {
		return new NeighbourRequest(Operation.ADD, 0, 0, 0, ids, vectors);
	}

	static NeighbourRequest remove(int id) {
		return new NeighbourRequest(Operation.REMOVE, 0, 0, 0, new int[] { id }, NO_VECTORS);
	}

	static NeighbourRequest query(float[] vector, int k, int shard, int shards) {
		return new NeighbourRequest(Operation.QUERY, k, shard, shards, NO_IDS, vector);
	}

	static NeighbourRequest clear() {
		return without(Operation.CLEAR);
	}

	static NeighbourRequest size() {
		return without(Operation.SIZE);
	}

	private static NeighbourRequest without(Operation operation) {
		return new NeighbourRequest(operation, 0, 0, 0, NO_IDS, NO_VECTORS);
	}

}
