package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.Snapshots.Snapshot;
import io.ringkernel.spring.ai.search.RankedRow;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Finds rows of one moment by the graph, if that takes less than to ask the kernel. The
 * graph knows of no metadata: with a filter, more rows are found, until enough of them
 * match or too few do. Any number of threads.
 */
final class GraphSearch {

	/** To find more rows takes as long as to compare with all of many. */
	private static final int MOST_ROWS = 256;

	/** With a filter, for each that is wanted so many rows are looked at first. */
	private static final int FIRST_LOOKS = 4;

	private static final int MORE_LOOKS = 4;

	private final RowGraph graph;

	private final DocumentStorage storage;

	private final SearchKernel kernel;

	private final MetadataColumns columns;

	private final DocumentListing listing;

	private final SimilarityMetric metric;

	GraphSearch(RowGraph graph, DocumentStorage storage, SearchKernel kernel, MetadataColumns columns,
			DocumentListing listing, SimilarityMetric metric) {
		this.graph = graph;
		this.storage = storage;
		this.kernel = kernel;
		this.columns = columns;
		this.listing = listing;
		this.metric = metric;
	}

	/**
	 * Finds the rows that are nearest to a vector.
	 * @param vector the vector, as the kernel compares it
	 * @return the rows in order; {@code null} if the kernel is to be asked
	 */
	@Nullable List<Found> find(Snapshot snapshot, float[] vector, int limit, double minScore,
			Filter.@Nullable Expression filter) {
		int looks = (filter != null) ? Math.min(limit, MOST_ROWS) * FIRST_LOOKS : limit;
		if (looks > MOST_ROWS || this.graph.size() == 0
				|| (filter != null && !matchesEnough(snapshot, filter, limit))) {
			return null;
		}
		while (looks <= MOST_ROWS) {
			List<RankedRow> rows = this.graph.nearest(vector, looks, snapshot.version());
			if (rows == null) {
				return null;
			}
			List<Found> found = new ArrayList<>();
			for (RankedRow row : rows) {
				if (found.size() == limit || this.metric.score(row.similarity()) < minScore) {
					return found;
				}
				this.listing.found(row.row(), row.similarity(), filter).ifPresent(found::add);
			}
			if (found.size() == limit || rows.size() >= this.storage.size()) {
				return found;
			}
			// If there are others, the graph has not led to them.
			boolean hasMore = rows.size() == looks;
			boolean mayBeEnough = (long) found.size() * MOST_ROWS >= (long) limit * looks;
			looks = (hasMore && mayBeEnough && looks < MOST_ROWS) ? Math.min(MOST_ROWS, looks * MORE_LOOKS)
					: Integer.MAX_VALUE;
		}
		return null;
	}

	/**
	 * Whether so many of the rows that are looked at match, if the first rows tell: the
	 * kernel lists some that do within a fraction of a search.
	 */
	private boolean matchesEnough(Snapshot snapshot, Filter.Expression filter, int limit) {
		int[] rows = this.kernel.select(VectorSearchRequest.select(snapshot.incarnation(), snapshot.epoch(),
				this.columns.compile(filter), VectorSearchRequest.MAX_RESULTS, DocumentListing.FIRST))
			.rows();
		return rows.length == VectorSearchRequest.MAX_RESULTS
				&& (long) rows.length * MOST_ROWS >= (long) limit * (rows[rows.length - 1] + 1);
	}

}
