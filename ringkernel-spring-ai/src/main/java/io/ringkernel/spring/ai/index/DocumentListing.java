package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.filter.MetadataFilter;
import io.ringkernel.spring.ai.filter.MetadataJson;
import io.ringkernel.spring.ai.index.Snapshots.Snapshot;
import io.ringkernel.spring.ai.search.FilterProgram;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StoredDocument;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Reads documents of one moment, and lists those that match a filter, in the order of
 * their rows. Any number of threads.
 */
record DocumentListing(DocumentStorage storage, SearchKernel kernel, MetadataColumns columns) {

	/** Before the first row. */
	static final int FIRST = -1;

	/** The document of a row, to be completed by what a search says of it. */
	Document.Builder builder(int row) {
		StoredDocument stored = stored(row);
		return builder(stored, MetadataJson.read(stored.metadata()));
	}

	private StoredDocument stored(int row) {
		StoredDocument document = this.storage.document(row);
		if (document == null) {
			throw new IllegalStateException("The kernel has found row %d, which has no document.".formatted(row));
		}
		return document;
	}

	/**
	 * Looks once more at a row that was found with a filter: the kernel errs on one side,
	 * and the graph knows of no filter. Without one, the document is read only if it is
	 * among the nearest in the end.
	 */
	Optional<Found> found(int row, float similarity, @Nullable Predicate<Map<String, ?>> filter) {
		if (filter == null) {
			return Optional.of(new Found(row, similarity, null));
		}
		return matching(row, filter).map((content) -> new Found(row, similarity, content));
	}

	/** The document of a row, if it matches; those that do not cost no document. */
	private Optional<Document.Builder> matching(int row, @Nullable Predicate<Map<String, ?>> filter) {
		StoredDocument stored = stored(row);
		Map<String, Object> metadata = MetadataJson.read(stored.metadata());
		return (filter == null || filter.test(metadata)) ? Optional.of(builder(stored, metadata)) : Optional.empty();
	}

	static @Nullable Predicate<Map<String, ?>> exact(Filter.@Nullable Expression filter) {
		return (filter != null) ? MetadataFilter.of(filter) : null;
	}

	static Document content(StoredDocument document) {
		return builder(document, MetadataJson.read(document.metadata())).build();
	}

	private static Document.Builder builder(StoredDocument document, Map<String, Object> metadata) {
		return Document.builder().id(document.id()).text(document.text()).metadata(metadata);
	}

	/** The ids of those that match; {@code null} if the kernel has lost its index. */
	@Nullable List<String> ids(Snapshot snapshot, Filter.Expression filter) {
		List<String> ids = new ArrayList<>();
		return forEach(snapshot, filter, (document) -> ids.add(document.getId())) ? ids : null;
	}

	/** How many documents match; {@code null} if the kernel has lost its index. */
	@Nullable Integer count(Snapshot snapshot, Filter.Expression filter) {
		int[] count = new int[1];
		return forEach(snapshot, filter, (document) -> count[0]++) ? count[0] : null;
	}

	/** Whether the kernel has its index to the end. */
	private boolean forEach(Snapshot snapshot, Filter.Expression filter, Consumer<Document> visitor) {
		ContentPage page = page(snapshot, filter, FIRST, VectorSearchRequest.MAX_RESULTS);
		while (page != null) {
			page.documents().forEach(visitor);
			if (page.isLast()) {
				return true;
			}
			page = page(snapshot, filter, page.lastRow(), VectorSearchRequest.MAX_RESULTS);
		}
		return false;
	}

	/** Lists those that match, behind a row; {@code null} if the index is lost. */
	@Nullable ContentPage page(Snapshot snapshot, Filter.@Nullable Expression filter, int after, int limit) {
		FilterProgram program = this.columns.compile(filter);
		Predicate<Map<String, ?>> exact = exact(filter);
		List<Document> documents = new ArrayList<>();
		int last = after;
		while (true) {
			VectorSearchResponse selected = this.kernel.select(VectorSearchRequest.select(snapshot.incarnation(),
					snapshot.epoch(), program, VectorSearchRequest.MAX_RESULTS, last));
			if (selected.outcome() == SearchOutcome.STALE) {
				return null;
			}
			for (int row : selected.rows()) {
				Optional<Document.Builder> content = matching(row, exact);
				if (content.isPresent()) {
					if (documents.size() == limit) {
						return new ContentPage(documents, last, false);
					}
					documents.add(content.get().build());
				}
				last = row;
			}
			if (selected.rows().length < VectorSearchRequest.MAX_RESULTS) {
				return new ContentPage(documents, last, true);
			}
		}
	}

}
