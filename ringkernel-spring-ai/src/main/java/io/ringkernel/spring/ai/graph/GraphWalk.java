package io.ringkernel.spring.ai.graph;

import io.github.jbellis.jvector.graph.GraphSearcher;
import io.github.jbellis.jvector.graph.ImmutableGraphIndex;
import io.github.jbellis.jvector.graph.SearchResult;
import org.jspecify.annotations.Nullable;

/**
 * Searches a graph again and again, in the memory of the first search: goes on from the
 * nearest points to their neighbours, until enough points were found and so many looked
 * at that the nearest are among them. Used by one thread at a time.
 */
final class GraphWalk {

	/**
	 * Of so many rows that a search looks at, the nearest are right ones: 0.993 of the
	 * ten nearest of 100,000 glosses, and 0.991 with a filter that half of them match.
	 * With 80 looks it is 0.994, for a quarter more processor time. With 50 it is less
	 * than 0.99.
	 */
	private static final int LEAST_LOOKS = 60;

	private final GraphPoints points;

	private final GraphScores scores;

	private final GraphView view;

	private final GraphSearcher searcher;

	/** Of the search that runs. The searcher would keep those of the last one. */
	private @Nullable RowLooks looks;

	GraphWalk(ImmutableGraphIndex graph, GraphPoints points, GraphScores scores) {
		this.points = points;
		this.scores = scores;
		this.view = new GraphView(graph, scores);
		this.searcher = new GraphSearcher(graph);
		this.searcher.setView(this.view);
	}

	/** Searches the graph as it is now, for as many points as are wanted, or more. */
	void search(RoundedVector vector, int wanted, RowLooks searched, NearestPoints nearest) {
		this.looks = searched;
		this.view.renew(vector);
		int first = searched.count();
		int more = wanted;
		SearchResult found = this.searcher.search(this.scores.of(vector), more, 0, this::isAccepted);
		for (int all = 0; found.getNodes().length > 0; found = this.searcher.resume(more, more)) {
			for (SearchResult.NodeScore node : found.getNodes()) {
				GraphPoint point = this.points.at(node.node);
				if (point != null) {
					nearest.add(point, node.score);
				}
			}
			all += found.getNodes().length;
			int looked = searched.count() - first;
			if (looked >= LEAST_LOOKS) {
				break;
			}
			more = Math.max(1, (LEAST_LOOKS - looked) * all / looked);
		}
		this.looks = null;
	}

	private boolean isAccepted(int node) {
		GraphPoint point = this.points.at(node);
		return point != null && this.looks != null && this.looks.hasRow(point);
	}

}
