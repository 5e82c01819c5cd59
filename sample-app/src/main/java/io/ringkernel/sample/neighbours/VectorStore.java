package io.ringkernel.sample.neighbours;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Vectors of the same length in one dense array, row after row. A removed row is filled
 * with the last one, so that a search runs over memory without gaps. Not safe for use by
 * several threads.
 */
final class VectorStore {

	private static final int INITIAL_ROWS = 64;

	private final int dimensions;

	private final Map<Integer, Integer> rows = new HashMap<>();

	private int[] ids = {};

	private float[] vectors = {};

	private int size;

	private long version;

	VectorStore(int dimensions) {
		this.dimensions = dimensions;
	}

	int size() {
		return this.size;
	}

	/**
	 * How often it was changed.
	 */
	long version() {
		return this.version;
	}

	/**
	 * Stores all vectors, or none if more than so many would be stored then.
	 * @return whether they were stored
	 */
	boolean addAll(int[] newIds, float[] newVectors, int capacity) {
		requireElements(newVectors, newIds.length);
		Set<Integer> unknown = new HashSet<>();
		for (int id : newIds) {
			if (!this.rows.containsKey(id)) {
				unknown.add(id);
			}
		}
		if (unknown.size() > capacity - this.size) {
			return false;
		}
		this.version++;
		reserve(this.size + unknown.size(), capacity);
		for (int i = 0; i < newIds.length; i++) {
			System.arraycopy(newVectors, i * this.dimensions, this.vectors, row(newIds[i]) * this.dimensions,
					this.dimensions);
		}
		return true;
	}

	private int row(int id) {
		Integer known = this.rows.putIfAbsent(id, this.size);
		if (known != null) {
			return known;
		}
		this.ids[this.size] = id;
		return this.size++;
	}

	private void reserve(int needed, int capacity) {
		if (needed > this.ids.length) {
			long doubled = Math.max(INITIAL_ROWS, 2L * this.ids.length);
			int reserved = (int) Math.min(Math.max(doubled, needed), capacity);
			this.ids = Arrays.copyOf(this.ids, reserved);
			this.vectors = Arrays.copyOf(this.vectors, reserved * this.dimensions);
		}
	}

	/**
	 * Removes the vector with an id.
	 * @return whether there was one
	 */
	boolean remove(int id) {
		Integer row = this.rows.remove(id);
		if (row == null) {
			return false;
		}
		this.version++;
		int last = --this.size;
		if (row != last) {
			System.arraycopy(this.vectors, last * this.dimensions, this.vectors, row * this.dimensions,
					this.dimensions);
			this.ids[row] = this.ids[last];
			this.rows.put(this.ids[row], row);
		}
		return true;
	}

	void clear() {
		this.version++;
		this.rows.clear();
		this.ids = new int[0];
		this.vectors = new float[0];
		this.size = 0;
	}

	/**
	 * Offers every vector of a shard, by its distance from the given one. Shards are of
	 * the same size, give or take one vector.
	 */
	void search(float[] vector, int shard, int shards, NearestHeap nearest) {
		requireElements(vector, 1);
		if (shard < 0 || shard >= shards) {
			throw new IllegalArgumentException("There is no shard %d of %d".formatted(shard, shards));
		}
		int end = (int) ((shard + 1L) * this.size / shards);
		for (int row = (int) ((long) shard * this.size / shards); row < end; row++) {
			nearest.offer(this.ids[row], squaredDistance(row * this.dimensions, vector));
		}
	}

	/**
	 * Four sums side by side: one would make every addition wait for the one before it.
	 */
	private float squaredDistance(int offset, float[] vector) {
		float[] all = this.vectors;
		float sum0 = 0;
		float sum1 = 0;
		float sum2 = 0;
		float sum3 = 0;
		int i = 0;
		for (; i <= vector.length - 4; i += 4) {
			float d0 = all[offset + i] - vector[i];
			float d1 = all[offset + i + 1] - vector[i + 1];
			float d2 = all[offset + i + 2] - vector[i + 2];
			float d3 = all[offset + i + 3] - vector[i + 3];
			sum0 += d0 * d0;
			sum1 += d1 * d1;
			sum2 += d2 * d2;
			sum3 += d3 * d3;
		}
		for (; i < vector.length; i++) {
			float d = all[offset + i] - vector[i];
			sum0 += d * d;
		}
		return (sum0 + sum1) + (sum2 + sum3);
	}

	private void requireElements(float[] elements, int count) {
		if (elements.length != count * this.dimensions) {
			throw new IllegalArgumentException("%d vectors of %d dimensions have %d elements, not %d".formatted(count,
					this.dimensions, count * this.dimensions, elements.length));
		}
	}

}
