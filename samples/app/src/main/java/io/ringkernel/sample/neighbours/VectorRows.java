package io.ringkernel.sample.neighbours;

import io.ringkernel.Parallel;

/**
 * Vectors in rows, as {@link NearestNeighbours} keeps them. Each element of 32 rows lies
 * beside that of the next, so 32 threads with a row each read one line of memory.
 *
 * @param dimensions the elements of a vector
 * @param ids the id of each row
 * @param elements the elements of all rows
 */
record VectorRows(int dimensions, int[] ids, float[] elements) {

	/** How many rows lie together. */
	static final int GROUP = 32;

	static VectorRows of(NearestNeighboursProperties properties) {
		int groups = (properties.capacity() + GROUP - 1) / GROUP;
		return new VectorRows(properties.dimensions(), new int[properties.capacity()],
				new float[Math.multiplyExact(groups * GROUP, properties.dimensions())]);
	}

	/** The last row with an id among some; -1 if there is none. */
	int find(int id, int from, int to) {
		return Parallel.maxInt(to - from, (i) -> (this.ids[from + i] == id) ? from + i : -1);
	}

	/** Finds the row of each of several ids among the first rows, in one pass. */
	void findAll(int[] wanted, int rows, int[] found) {
		Parallel.range(found.length, (i) -> found[i] = -1);
		Parallel.range(rows, (row) -> {
			for (int i = 0; i < wanted.length; i++) {
				if (this.ids[row] == wanted[i]) {
					found[i] = row;
				}
			}
		});
	}

	/** Stores the vector that begins at an element of several. */
	void put(int row, float[] vectors, int from) {
		Parallel.range(this.dimensions, (i) -> this.elements[at(row, i)] = vectors[from + i]);
	}

	/** Replaces a row by another one. */
	void copy(int from, int to) {
		Parallel.range(this.dimensions, (i) -> this.elements[at(to, i)] = this.elements[at(from, i)]);
		this.ids[to] = this.ids[from];
	}

	float squaredDistance(int row, float[] vector) {
		float sum = 0;
		int at = at(row, 0);
		for (int i = 0; i < this.dimensions; i++) {
			float difference = this.elements[at + i * GROUP] - vector[i];
			sum += difference * difference;
		}
		return sum;
	}

	private int at(int row, int element) {
		return (row / GROUP * this.dimensions + element) * GROUP + row % GROUP;
	}

}
