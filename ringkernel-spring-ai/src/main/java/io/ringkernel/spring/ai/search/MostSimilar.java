package io.ringkernel.spring.ai.search;

/**
 * Keeps the most similar of all rows that it is offered and that come after a given one:
 * a binary heap whose root is the last of them. The order is that of decreasing
 * similarity, and of increasing rows among those of the same similarity.
 */
final class MostSimilar {

	private final int[] rows;

	private final float[] similarities;

	private final float afterSimilarity;

	private final int afterRow;

	private int size;

	MostSimilar(int limit, float afterSimilarity, int afterRow) {
		this.rows = new int[limit];
		this.similarities = new float[limit];
		this.afterSimilarity = afterSimilarity;
		this.afterRow = afterRow;
	}

	void offer(int row, float similarity) {
		if (!isBefore(this.afterRow, this.afterSimilarity, row, similarity)) {
			return;
		}
		if (this.size < this.rows.length) {
			siftUp(this.size++, row, similarity);
		}
		else if (isBefore(row, similarity, this.rows[0], this.similarities[0])) {
			siftDown(row, similarity);
		}
	}

	/** Empties the heap, and returns the rows in order. */
	VectorSearchResponse drain() {
		int[] sortedRows = new int[this.size];
		float[] sortedSimilarities = new float[this.size];
		while (this.size > 0) {
			int last = --this.size;
			sortedRows[last] = this.rows[0];
			sortedSimilarities[last] = this.similarities[0];
			siftDown(this.rows[last], this.similarities[last]);
		}
		return new VectorSearchResponse(SearchOutcome.DONE, sortedRows, sortedSimilarities);
	}

	private void siftUp(int from, int row, float similarity) {
		int hole = from;
		while (hole > 0) {
			int parent = (hole - 1) >>> 1;
			if (!isBefore(this.rows[parent], this.similarities[parent], row, similarity)) {
				break;
			}
			place(hole, this.rows[parent], this.similarities[parent]);
			hole = parent;
		}
		place(hole, row, similarity);
	}

	private void siftDown(int row, float similarity) {
		int hole = 0;
		for (int child = 1; child < this.size; child = 2 * hole + 1) {
			if (child + 1 < this.size && isBefore(this.rows[child], this.similarities[child], this.rows[child + 1],
					this.similarities[child + 1])) {
				child++;
			}
			if (!isBefore(row, similarity, this.rows[child], this.similarities[child])) {
				break;
			}
			place(hole, this.rows[child], this.similarities[child]);
			hole = child;
		}
		place(hole, row, similarity);
	}

	private static boolean isBefore(int row, float similarity, int otherRow, float otherSimilarity) {
		return (similarity == otherSimilarity) ? row < otherRow : similarity > otherSimilarity;
	}

	private void place(int index, int row, float similarity) {
		this.rows[index] = row;
		this.similarities[index] = similarity;
	}

}
