package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.index.Snapshots.Snapshot;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.FilterProgram;
import io.ringkernel.spring.ai.search.RankedRow;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.document.DocumentMetadata;
import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Finds documents of one moment: asks the kernel for rows, and reads what these hold. Any
 * number of threads.
 */
record DocumentSearch(DocumentStorage storage, SearchKernel kernel, MetadataColumns columns, DocumentListing listing,
		SimilarityMetric metric, ElementType elementType, AddedVectors added, GraphSearch graph) {

	/**
	 * If the host leaves out more of what the kernel has found, all rows are asked for at
	 * once: each page more would cost a pass over them.
	 */
	private static final int MOST_LOOKS = 4;

	/** The nearest, by the graph if it can tell; {@code null} if the index is lost. */
	@Nullable Nearest nearest(Snapshot snapshot, float[] vector, int limit, double minScore, Filter.@Nullable Expression filter) {
		List<Found> found = this.graph.find(snapshot, vector, limit, filter);
		if (found != null) {
			return new Nearest(matches(found, limit, minScore), false);
		}
		List<Document> exact = exact(snapshot, vector, limit, minScore, filter);
		return (exact != null) ? new Nearest(exact, true) : null;
	}

	private @Nullable List<Document> exact(Snapshot snapshot, float[] vector, int limit, double minScore,
			Filter.@Nullable Expression filter) {
		boolean exact = this.elementType.isExact();
		List<Found> found = find(snapshot, vector, this.elementType.candidates(limit),
				exact ? minScore : Double.NEGATIVE_INFINITY, filter);
		if (found == null) {
			return null;
		}
		return matches(exact ? found : this.added.nearestFirst(found, vector), limit, minScore);
	}

	private List<Document> matches(List<Found> found, int limit, double minScore) {
		List<Document> matches = new ArrayList<>(Math.min(limit, found.size()));
		for (Found nearest : found) {
			if (matches.size() == limit || this.metric.score(nearest.similarity()) < minScore) {
				break;
			}
			matches.add(match(nearest));
		}
		return matches;
	}

	/** Those that the kernel has found and that match the filter, in its order. */
	private @Nullable List<Found> find(Snapshot snapshot, float[] vector, int limit, double minScore,
			Filter.@Nullable Expression filter) {
		FilterProgram program = this.columns.compile(filter);
		Predicate<Map<String, ?>> exact = DocumentListing.exact(filter);
		return (limit > VectorSearchRequest.MAX_RESULTS)
				? findMany(snapshot, vector, limit, minScore, exact, program, limit)
				: findPages(snapshot, vector, limit, minScore, exact, program);
	}

	/** Finds rows in parts, and looks at about so many as are wanted. */
	private @Nullable List<Found> findMany(Snapshot snapshot, float[] vector, int limit, double minScore,
			@Nullable Predicate<Map<String, ?>> filter, FilterProgram program, int wanted) {
		int stored = this.storage.size();
		RankedRows rows = new RankedRows(
				this.kernel::queryParts, VectorSearchRequest.query(snapshot.incarnation(), snapshot.epoch(), vector,
						program, VectorSearchRequest.MAX_RESULTS, Float.POSITIVE_INFINITY, -1),
				Math.min(wanted, stored));
		List<Found> found = new ArrayList<>();
		int looked = 0;
		for (RankedRow next = rows.next(); next != null && found.size() < limit
				&& this.metric.score(next.similarity()) >= minScore; next = rows.next()) {
			if (wanted < stored && looked++ == MOST_LOOKS * wanted) {
				return findMany(snapshot, vector, limit, minScore, filter, program, stored);
			}
			this.listing.found(next.row(), next.similarity(), filter).ifPresent(found::add);
		}
		return rows.isStale() ? null : found;
	}

	private @Nullable List<Found> findPages(Snapshot snapshot, float[] vector, int limit, double minScore,
			@Nullable Predicate<Map<String, ?>> filter, FilterProgram program) {
		List<Found> found = new ArrayList<>();
		float afterSimilarity = Float.POSITIVE_INFINITY;
		int afterRow = -1;
		for (int pageSize = limit;; pageSize *= 2) {
			if (pageSize >= 2 * VectorSearchRequest.MAX_RESULTS) {
				return findMany(snapshot, vector, limit, minScore, filter, program, this.storage.size());
			}
			pageSize = Math.min(pageSize, VectorSearchRequest.MAX_RESULTS);
			VectorSearchResponse page = this.kernel.query(VectorSearchRequest.query(snapshot.incarnation(),
					snapshot.epoch(), vector, program, pageSize, afterSimilarity, afterRow),
					(long) this.storage.size() * vector.length);
			if (page.outcome() == SearchOutcome.STALE) {
				return null;
			}
			for (int i = 0; i < page.rows().length; i++) {
				afterRow = page.rows()[i];
				afterSimilarity = page.similarities()[i];
				if (this.metric.score(afterSimilarity) < minScore || found.size() == limit) {
					return found;
				}
				this.listing.found(afterRow, afterSimilarity, filter).ifPresent(found::add);
			}
			if (page.rows().length < pageSize || found.size() == limit) {
				return found;
			}
		}
	}

	private Document match(Found found) {
		Document.Builder content = (found.content() != null) ? found.content() : this.listing.builder(found.row());
		return content.metadata(DocumentMetadata.DISTANCE.value(), this.metric.distance(found.similarity()))
			.score(this.metric.score(found.similarity()))
			.build();
	}

	/** What was found, and whether the kernel has compared with all documents. */
	record Nearest(List<Document> matches, boolean isExact) {
	}

}
