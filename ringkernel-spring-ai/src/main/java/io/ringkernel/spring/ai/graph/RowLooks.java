package io.ringkernel.spring.ai.graph;

import java.util.function.IntPredicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The rows that one search looks at, to see whether they are visible and accepted. If
 * they become too many, every further row is accepted, which ends the search, and it has
 * come to nothing.
 */
final class RowLooks implements IntPredicate {

	/** To look at more takes longer than to ask the kernel. */
	private static final int MOST_LOOKS = 2048;

	/** So many vectors are read and compared again at most. */
	private static final int MOST_ROWS = 2048;

	private final long version;

	private final IntPredicate accepted;

	private int count;

	RowLooks(long version, IntPredicate accepted) {
		this.version = version;
		this.accepted = accepted;
	}

	boolean hasRow(GraphPoint point) {
		return point.hasRow(this.version, this);
	}

	@Override
	public boolean test(int row) {
		return ++this.count > MOST_LOOKS || this.accepted.test(row);
	}

	int count() {
		return this.count;
	}

	/** The visible and accepted rows; {@code null} if they or the looks are too many. */
	int @Nullable [] rows(Stream<GraphPoint> points) {
		if (this.count > MOST_LOOKS) {
			return null;
		}
		int[] rows = points.flatMapToInt((point) -> point.rows(this.version))
			.filter(this.accepted)
			.limit(MOST_ROWS + 1L)
			.toArray();
		return (rows.length <= MOST_ROWS) ? rows : null;
	}

}
