package io.ringkernel.spring.ai.graph;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ForkJoinPool;

import io.github.jbellis.jvector.graph.GraphIndexBuilder;

/**
 * Points that are connected with their neighbours, by JVector. Any number of threads
 * connect points and search. While one removes points, none connects any.
 */
final class PointGraph implements AutoCloseable {

	private static final int DEGREE = 32;

	/** How many points are looked at for the neighbours of one. */
	private static final int CANDIDATES_TO_CONNECT = 100;

	/** So many times the degree a point has before neighbours are taken from it. */
	private static final float OVERFLOW = 1.5f;

	/**
	 * How much longer than in a plain graph of neighbours a way may be. In a graph with
	 * an overflow and an alpha of 1.2 each, a search must look at 80 rows for what it
	 * finds with 60 in this one.
	 */
	private static final float ALPHA = 1.4f;

	/** More threads than these seldom search at once, and make a walk of their own. */
	private static final int MOST_IDLE = 2 * Runtime.getRuntime().availableProcessors();

	private final GraphScores scores;

	private final GraphPoints points;

	private final GraphIndexBuilder builder;

	/** A walk has much that the next one needs as well. */
	private final Queue<GraphWalk> idle = new ArrayBlockingQueue<>(MOST_IDLE);

	PointGraph(GraphScores scores, GraphPoints points, int dimensions, ForkJoinPool removing) {
		this.scores = scores;
		this.points = points;
		this.builder = GraphIndexBuilder.builder(scores, dimensions, DEGREE)
			.withBeamWidth(CANDIDATES_TO_CONNECT)
			.withNeighborOverflow(OVERFLOW)
			.withAlpha(ALPHA)
			.withSimdExecutor(removing)
			.withParallelExecutor(removing)
			.build();
	}

	void connect(GraphPoint point) {
		this.builder.addGraphNode(point.node(), this.scores.of(point.vector()));
	}

	/** Takes as long as to look at every point. */
	void remove(List<GraphPoint> removed) {
		removed.forEach((point) -> this.builder.markNodeDeleted(point.node()));
		this.builder.removeDeletedNodes();
	}

	/** Finds points that were connected before, as many as are wanted or more. */
	void search(RoundedVector vector, int wanted, RowLooks looks, NearestPoints nearest) {
		GraphWalk known = this.idle.poll();
		GraphWalk walk = (known != null) ? known : new GraphWalk(this.builder.getGraph(), this.points, this.scores);
		walk.search(vector, wanted, looks, nearest);
		this.idle.offer(walk);
	}

	@Override
	public void close() throws IOException {
		this.builder.close();
	}

}
