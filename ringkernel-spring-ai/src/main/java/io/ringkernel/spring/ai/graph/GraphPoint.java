package io.ringkernel.spring.ai.graph;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * A vector of the graph, and the rows whose vectors are rounded to it. They are one
 * point: as many points they would be each other's nearest, and nothing would lead away
 * from them.
 * <p>
 * Any number of threads read the rows. One at a time adds and removes some.
 */
final class GraphPoint {

	/** The place of the point in the graph, which a later point may have as well. */
	private final int node;

	private final RoundedVector vector;

	private volatile @Nullable Row first;

	private volatile @Nullable PointGraph graph;

	GraphPoint(int node, RoundedVector vector) {
		this.node = node;
		this.vector = vector;
	}

	int node() {
		return this.node;
	}

	RoundedVector vector() {
		return this.vector;
	}

	/** Whether a graph has it. Another one, which began before, may have had it. */
	boolean isConnected(PointGraph asked) {
		return asked.equals(this.graph);
	}

	/** One graph at a time has it. */
	void connected(PointGraph by) {
		this.graph = by;
	}

	boolean isEmpty() {
		return this.first == null;
	}

	Row add(int row, long version) {
		Row behind = this.first;
		Row added = new Row(this, row, version, behind);
		if (behind != null) {
			behind.before = added;
		}
		this.first = added;
		return added;
	}

	/** A thread that is at the row goes on to those behind it. */
	void remove(Row row) {
		Row behind = row.behind;
		if (row.before == null) {
			this.first = behind;
		}
		else {
			row.before.behind = behind;
		}
		if (behind != null) {
			behind.before = row.before;
		}
	}

	/** Whether a row with the vector is visible and accepted. */
	boolean hasRow(long version, IntPredicate accepted) {
		for (Row row = this.first; row != null; row = row.behind) {
			if (row.isVisible(version) && accepted.test(row.row)) {
				return true;
			}
		}
		return false;
	}

	IntStream rows(long version) {
		IntStream.Builder rows = IntStream.builder();
		for (Row row = this.first; row != null; row = row.behind) {
			if (row.isVisible(version)) {
				rows.add(row.row);
			}
		}
		return rows.build();
	}

	/** A row, in the list of those with the same vector. */
	static final class Row {

		private static final long NEVER = Long.MAX_VALUE;

		private final GraphPoint point;

		private final int row;

		private final long added;

		private volatile long retired = NEVER;

		private volatile @Nullable Row behind;

		/** Read and written by the thread that adds and removes. */
		private @Nullable Row before;

		Row(GraphPoint point, int row, long added, @Nullable Row behind) {
			this.point = point;
			this.row = row;
			this.added = added;
			this.behind = behind;
		}

		GraphPoint point() {
			return this.point;
		}

		void retire(long version) {
			this.retired = version;
		}

		private boolean isVisible(long version) {
			return this.added <= version && version < this.retired;
		}

	}

}
