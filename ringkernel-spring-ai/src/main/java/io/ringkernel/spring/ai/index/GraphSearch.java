package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.Snapshots.Snapshot;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Finds rows of one moment by the graph, if that takes less than to ask the kernel. With
 * a filter, the graph asks for each row that it comes to whether its document matches.
 * Any number of threads.
 */
record GraphSearch(RowGraph graph, DocumentStorage storage, SearchKernel kernel, MetadataColumns columns,
		DocumentListing listing, AddedVectors added) {

	/** To find more rows takes as long as to compare with all of many. */
	private static final int MOST_ROWS = 256;

	/** The kernel compares with so many rows while the graph looks at one. */
	private static final int COMPARED_PER_LOOK = 25;

	/** The nearest rows, and more than are wanted; {@code null} to ask the kernel. */
	@Nullable List<Found> find(Snapshot snapshot, float[] vector, int limit, Filter.@Nullable Expression filter) {
		if (limit > MOST_ROWS || this.graph.size() == 0 || (filter != null && !isSooner(snapshot, filter, limit))) {
			return null;
		}
		Predicate<Map<String, ?>> exact = DocumentListing.exact(filter);
		Map<Integer, Optional<Found>> looks = new HashMap<>();
		int[] rows = this.graph.candidates(vector, limit, snapshot.version(),
				(row) -> exact == null || look(row, exact, looks).isPresent());
		// If there are others, the graph has not led to them.
		if (rows == null || (rows.length < limit && rows.length < this.storage.size())) {
			return null;
		}
		List<Found> found = new ArrayList<>(rows.length);
		for (int row : rows) {
			look(row, exact, looks).ifPresent(found::add);
		}
		return this.added.nearestFirst(found, vector);
	}

	private Optional<Found> look(int row, @Nullable Predicate<Map<String, ?>> filter,
			Map<Integer, Optional<Found>> looks) {
		if (filter == null) {
			return this.listing.found(row, 0, null);
		}
		return looks.computeIfAbsent(row, (number) -> this.listing.found(number, 0, filter));
	}

	/**
	 * Whether the graph looks at as few rows, until enough of them match, that the kernel
	 * takes longer to compare with all that match. The first rows tell about how many
	 * that are: the kernel lists some within a fraction of a search.
	 */
	private boolean isSooner(Snapshot snapshot, Filter.Expression filter, int limit) {
		int[] rows = this.kernel.select(VectorSearchRequest.select(snapshot.incarnation(), snapshot.epoch(),
				this.columns.compile(filter), VectorSearchRequest.MAX_RESULTS, DocumentListing.FIRST))
			.rows();
		if (rows.length < VectorSearchRequest.MAX_RESULTS) {
			return false;
		}
		double share = (double) rows.length / (rows[rows.length - 1] + 1);
		return COMPARED_PER_LOOK * RowGraph.FOUND_PER_ROW * limit / share < share * this.storage.size();
	}

}
