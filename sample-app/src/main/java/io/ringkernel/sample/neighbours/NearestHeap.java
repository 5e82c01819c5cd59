package io.ringkernel.sample.neighbours;

import java.util.function.BiFunction;

/**
 * Keeps the k nearest of all vectors that it is offered: a binary heap whose root is the
 * farthest of them. Of two vectors at the same distance, the one with the smaller id is
 * the nearer, so that a result does not depend on the order of storage.
 */
final class NearestHeap {

	private final int[] ids;

	private final float[] distances;

	private int size;

	NearestHeap(int k) {
		this.ids = new int[k];
		this.distances = new float[k];
	}

	void offer(int id, float distance) {
		if (this.size < this.ids.length) {
			siftUp(this.size++, id, distance);
		}
		else if (this.size > 0 && isFarther(0, id, distance)) {
			siftDown(id, distance);
		}
	}

	/**
	 * Empties the heap.
	 * @return what the function makes of ids and distances, the nearest first
	 */
	<R> R drain(BiFunction<int[], float[], R> result) {
		int[] sortedIds = new int[this.size];
		float[] sortedDistances = new float[this.size];
		while (this.size > 0) {
			int last = --this.size;
			sortedIds[last] = this.ids[0];
			sortedDistances[last] = this.distances[0];
			siftDown(this.ids[last], this.distances[last]);
		}
		return result.apply(sortedIds, sortedDistances);
	}

	private void siftUp(int from, int id, float distance) {
		int hole = from;
		while (hole > 0) {
			int parent = (hole - 1) >>> 1;
			if (isFarther(parent, id, distance)) {
				break;
			}
			move(parent, hole);
			hole = parent;
		}
		place(hole, id, distance);
	}

	/**
	 * Replaces the root.
	 */
	private void siftDown(int id, float distance) {
		int hole = 0;
		for (int child = 1; child < this.size; child = 2 * hole + 1) {
			if (child + 1 < this.size && isFarther(child + 1, this.ids[child], this.distances[child])) {
				child++;
			}
			if (!isFarther(child, id, distance)) {
				break;
			}
			move(child, hole);
			hole = child;
		}
		place(hole, id, distance);
	}

	private boolean isFarther(int index, int id, float distance) {
		int order = Float.compare(this.distances[index], distance);
		return (order != 0) ? order > 0 : this.ids[index] > id;
	}

	private void move(int from, int to) {
		place(to, this.ids[from], this.distances[from]);
	}

	private void place(int index, int id, float distance) {
		this.ids[index] = id;
		this.distances[index] = distance;
	}

}
