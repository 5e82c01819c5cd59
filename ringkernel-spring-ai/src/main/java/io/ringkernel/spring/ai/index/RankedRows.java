package io.ringkernel.spring.ai.index;

import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.ringkernel.spring.ai.search.FilterProgram;
import io.ringkernel.spring.ai.search.RankedRow;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a query finds, in the order of the kernel, if they are more than one
 * response holds. The query goes to many parts of the rows at once, so that their first
 * pages take one pass over the rows. A part whose page is used up is asked for another,
 * which costs that part alone. Used by one thread.
 */
final class RankedRows {

	/** So many of the rows that are wanted a part has on average; a page has twice. */
	private static final int WANTED_PER_PART = VectorSearchRequest.MAX_RESULTS / 2;

	/** A batch of requests has the timeout of one request. */
	private static final int PARTS_AT_ONCE = 256;

	/** On a device, the parts without a filter depend on how many rows there are. */
	private static final FilterProgram EVERY_ROW = everyRow();

	private final Function<List<VectorSearchRequest>, List<VectorSearchResponse>> kernel;

	private final VectorSearchRequest query;

	/** Those that have a row left, by the first of these. */
	private final PriorityQueue<Part> parts = new PriorityQueue<>();

	private boolean isStale;

	RankedRows(Function<List<VectorSearchRequest>, List<VectorSearchResponse>> kernel, VectorSearchRequest query,
			int wanted) {
		this.kernel = kernel;
		this.query = page(query, Float.POSITIVE_INFINITY, -1);
		int count = Math.max(1, wanted / WANTED_PER_PART);
		for (int from = 0; from < count && !this.isStale; from += PARTS_AT_ONCE) {
			int first = from;
			int to = Math.min(count, from + PARTS_AT_ONCE);
			List<VectorSearchResponse> pages = kernel
				.apply(IntStream.range(from, to).mapToObj((part) -> this.query.ofShard(part, count)).toList());
			for (int i = 0; i < pages.size(); i++) {
				add(first + i, count, pages.get(i));
			}
		}
	}

	private static FilterProgram everyRow() {
		FilterProgram.Builder program = new FilterProgram.Builder();
		program.constant(true);
		return program.build();
	}

	private static VectorSearchRequest page(VectorSearchRequest query, float afterSimilarity, int afterRow) {
		FilterProgram filter = (query.codes().length > 0) ? new FilterProgram(query.codes(), query.operands())
				: EVERY_ROW;
		return VectorSearchRequest.query(query.incarnation(), query.epoch(), query.vectors(), filter,
				VectorSearchRequest.MAX_RESULTS, afterSimilarity, afterRow);
	}

	private void add(int part, int count, VectorSearchResponse page) {
		this.isStale |= page.outcome() == SearchOutcome.STALE;
		if (page.rows().length > 0) {
			this.parts.add(new Part(part, count, page, 0));
		}
	}

	/** The next row; {@code null} if there is none, or the kernel has lost its index. */
	@Nullable RankedRow next() {
		Part first = this.isStale ? null : this.parts.poll();
		if (first == null) {
			return null;
		}
		RankedRow row = first.row();
		if (first.index() + 1 < first.page().rows().length) {
			this.parts.add(new Part(first.part(), first.count(), first.page(), first.index() + 1));
		}
		else if (first.index() + 1 == VectorSearchRequest.MAX_RESULTS) {
			VectorSearchRequest more = page(this.query, row.similarity(), row.row()).ofShard(first.part(),
					first.count());
			add(first.part(), first.count(), this.kernel.apply(List.of(more)).get(0));
		}
		return row;
	}

	/** Whether the kernel has lost its index, so that rows are missing. */
	boolean isStale() {
		return this.isStale;
	}

	/** A part of the rows, its last page, and what was taken of that. */
	private record Part(int part, int count, VectorSearchResponse page, int index) implements Comparable<Part> {

		RankedRow row() {
			return new RankedRow(this.page.rows()[this.index], this.page.similarities()[this.index]);
		}

		@Override
		public int compareTo(Part other) {
			return row().compareTo(other.row());
		}

	}

}
