package io.ringkernel.spring.ai.graph;

import java.io.IOException;
import java.util.Arrays;

import io.github.jbellis.jvector.graph.ImmutableGraphIndex;
import io.github.jbellis.jvector.graph.ImmutableGraphIndex.NodeAtLevel;
import io.github.jbellis.jvector.graph.NodesIterator;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction;
import io.github.jbellis.jvector.util.Bits;

/**
 * A graph as one search sees it: with all points that were connected before. Compares
 * with the new neighbours of a point at once. Used by one thread at a time.
 */
final class GraphView implements ImmutableGraphIndex.View {

	private final ImmutableGraphIndex graph;

	private final GraphScores scores;

	private ImmutableGraphIndex.View now;

	private RoundedVector vector = RoundedVector.NONE;

	/** They grow to the most that a point has. */
	private int[] neighbors = {};

	private float[] neighborScores = {};

	GraphView(ImmutableGraphIndex graph, GraphScores scores) {
		this.graph = graph;
		this.scores = scores;
		this.now = graph.getView();
	}

	/** Sees the graph as it is now, and compares neighbours with a vector. */
	void renew(RoundedVector compared) {
		this.now = this.graph.getView();
		this.vector = compared;
	}

	@Override
	public void processNeighbors(int level, int node, ScoreFunction unused, ImmutableGraphIndex.IntMarker visited,
			ImmutableGraphIndex.NeighborProcessor processor) {
		int count = 0;
		for (NodesIterator all = getNeighborsIterator(level, node); all.hasNext();) {
			int neighbor = all.nextInt();
			if (visited.mark(neighbor)) {
				if (count == this.neighbors.length) {
					this.neighbors = Arrays.copyOf(this.neighbors, 2 * count + 1);
					this.neighborScores = new float[this.neighbors.length];
				}
				this.neighbors[count++] = neighbor;
			}
		}
		this.scores.of(this.vector, this.neighbors, count, this.neighborScores);
		for (int i = 0; i < count; i++) {
			processor.process(this.neighbors[i], this.neighborScores[i]);
		}
	}

	@Override
	public NodesIterator getNeighborsIterator(int level, int node) {
		return this.now.getNeighborsIterator(level, node);
	}

	@Override
	@Deprecated
	public int size() {
		return this.now.size();
	}

	@Override
	public NodeAtLevel entryNode() {
		return this.now.entryNode();
	}

	@Override
	public Bits liveNodes() {
		return this.now.liveNodes();
	}

	@Override
	public boolean contains(int level, int node) {
		return this.now.contains(level, node);
	}

	@Override
	public void close() throws IOException {
		this.now.close();
	}

}
