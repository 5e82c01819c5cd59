package io.ringkernel.spring.ai.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The points of a graph by their nodes, their rows and their vectors. Points are found by
 * their nodes without a lock.
 */
final class GraphPoints {

	private static final int MIN_NODES = 1024;

	/**
	 * A reader has the number of a node from the graph, which gets it after this array.
	 */
	private volatile @Nullable GraphPoint[] nodes = new GraphPoint[MIN_NODES];

	private final Deque<Integer> freeNodes = new ArrayDeque<>();

	private int nextNode;

	private final Map<Integer, GraphPoint.Row> rows = new HashMap<>();

	private final Map<RoundedVector, GraphPoint> points = new HashMap<>();

	private final GraphVectors vectors;

	/** Written under the lock, so that a search need not wait for it. */
	private volatile int size;

	private volatile int count;

	GraphPoints(GraphVectors vectors) {
		this.vectors = vectors;
	}

	/** The point of a node; {@code null} if it has been freed. */
	@Nullable GraphPoint at(int node) {
		return this.nodes[node];
	}

	int size() {
		return this.size;
	}

	int count() {
		return this.count;
	}

	synchronized List<GraphPoint> all() {
		return new ArrayList<>(this.points.values());
	}

	synchronized boolean contains(int row) {
		return this.rows.containsKey(row);
	}

	/** Adds a row by its vector, as it is compared. Returns its point if it is new. */
	synchronized @Nullable GraphPoint add(int row, float[] vector, long version) {
		int node = takeNode();
		RoundedVector rounded = this.vectors.write(node, vector);
		GraphPoint known = this.points.get(rounded);
		GraphPoint point = (known != null) ? known : new GraphPoint(node, rounded);
		this.rows.put(row, point.add(row, version));
		this.size++;
		if (known != null) {
			this.freeNodes.push(node);
			return null;
		}
		this.points.put(rounded, point);
		this.count = this.points.size();
		this.nodes[node] = point;
		return point;
	}

	private int takeNode() {
		Integer free = this.freeNodes.poll();
		int node = (free != null) ? free : this.nextNode++;
		if (node >= this.nodes.length) {
			this.nodes = Arrays.copyOf(this.nodes, 2 * this.nodes.length);
		}
		return node;
	}

	synchronized void retire(Collection<Integer> retired, long version) {
		for (Integer number : retired) {
			GraphPoint.Row row = this.rows.get(number);
			if (row != null) {
				row.retire(version);
				this.size--;
			}
		}
	}

	/** Removes a row. Returns its point if that has no other row. */
	synchronized @Nullable GraphPoint release(int row) {
		GraphPoint.Row released = this.rows.remove(row);
		if (released == null) {
			return null;
		}
		GraphPoint point = released.point();
		point.remove(released);
		if (!point.isEmpty()) {
			return null;
		}
		this.points.remove(point.vector());
		this.count = this.points.size();
		return point;
	}

	/** Lets other points have the nodes of unused ones, which the graph does not have. */
	synchronized void free(Collection<GraphPoint> unused) {
		for (GraphPoint point : unused) {
			this.nodes[point.node()] = null;
			this.freeNodes.add(point.node());
		}
	}

}
