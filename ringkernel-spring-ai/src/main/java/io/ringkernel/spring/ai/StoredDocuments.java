package io.ringkernel.spring.ai;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import io.ringkernel.spring.ai.index.DocumentExport;
import io.ringkernel.spring.ai.index.DocumentIndex;
import io.ringkernel.spring.ai.search.DeviceRows;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationContext;

/**
 * The documents of a {@linkplain RingKernelVectorStore#documents() vector store}, apart
 * from what they are similar to: read by id, listed and counted by filter, and changed
 * without the embedding model.
 * <p>
 * Safe for use by any number of threads. Each call sees the documents of one moment.
 *
 * @since 0.2.0
 */
public final class StoredDocuments {

	/** The most documents of a page. */
	public static final int MAX_PAGE_SIZE = 10_000;

	private final DocumentIndex index;

	private final StoreObservations observations;

	StoredDocuments(DocumentIndex index, StoreObservations observations) {
		this.index = index;
		this.observations = observations;
	}

	/**
	 * Finds a document, after changes that are being made.
	 * @param id its id
	 * @return the document, if there is one
	 */
	public Optional<Document> findById(String id) {
		return findAllById(List.of(id)).stream().findFirst();
	}

	/**
	 * Finds documents, after changes that are being made.
	 * @param ids their ids
	 * @return those that there are, in the order of their ids
	 */
	public List<Document> findAllById(Collection<String> ids) {
		return this.index.get(ids);
	}

	/**
	 * Lists documents, a page at a time, in an order that does not change. Every document
	 * that is not changed meanwhile is on one page. One that is added, replaced or given
	 * other metadata between two pages may be on none, or on two.
	 * @param filter which documents, or {@code null} for all
	 * @param limit the most documents of the page, from 1 to {@value #MAX_PAGE_SIZE}
	 * @param cursor {@link DocumentPage#next()} of the page before; {@code null} for the
	 * first page
	 * @return the page
	 * @throws IllegalArgumentException if an argument is none of these
	 */
	public DocumentPage list(Filter.@Nullable Expression filter, int limit, @Nullable String cursor) {
		if (limit < 1 || limit > MAX_PAGE_SIZE) {
			throw new IllegalArgumentException(
					"The limit of a page is %d. Pass 1 to %d, and ask for further pages by the cursor.".formatted(limit,
							MAX_PAGE_SIZE));
		}
		return DocumentPage.of(this.index.list(filter, (cursor != null) ? row(cursor) : -1, limit));
	}

	private static int row(String cursor) {
		try {
			int row = Integer.parseInt(cursor);
			if (row >= 0 && row < DeviceRows.MAX_ROWS) {
				return row;
			}
		}
		catch (NumberFormatException ex) {
			// It is refused like a row that there cannot be.
		}
		throw new IllegalArgumentException(
				"'%s' is no cursor. Pass DocumentPage.next() of the page before, or null for the first page."
					.formatted(cursor));
	}

	/**
	 * Counts the documents that match.
	 * @param filter which ones
	 * @return a count
	 * @throws IllegalArgumentException if an operand is missing or of the wrong kind
	 */
	public int count(Filter.Expression filter) {
		return this.index.count(filter);
	}

	/**
	 * Deletes all documents at once. Observed as a deletion.
	 */
	public void deleteAll() {
		this.observations.observe(VectorStoreObservationContext.Operation.DELETE, this.index::removeAll);
	}

	/**
	 * Changes the metadata of documents, all or none, but neither text nor vector. No
	 * other change comes between what is read and what is written.
	 * @param ids the ids of the documents; unknown ones are ignored
	 * @param change makes the new metadata of the old, which may be changed and returned
	 * @return how many documents there are of these
	 * @throws IllegalArgumentException if a new value is {@code null}
	 */
	public int updateMetadata(Collection<String> ids, UnaryOperator<Map<String, Object>> change) {
		return this.index.updateMetadata(ids, (metadata) -> valid(change.apply(metadata)));
	}

	/** What a document refuses as well. */
	private static Map<String, Object> valid(Map<String, Object> metadata) {
		metadata.forEach((key, value) -> {
			if (key == null || value == null) {
				throw new IllegalArgumentException(
						"The new metadata have the value %s at the key %s. Remove the key instead.".formatted(value,
								key));
			}
		});
		return metadata;
	}

	/**
	 * Writes all documents of one moment as lines of JSON, while searches and changes go
	 * on. Each line is an object with {@code id}, {@code text}, {@code metadata} and
	 * {@code vector}.
	 * @param target what they are written to in UTF-8; it is not closed
	 * @return how many there are
	 * @throws IOException if they cannot be written
	 */
	public int export(OutputStream target) throws IOException {
		try {
			return this.index.readStored((stored) -> DocumentExport.write(stored, target));
		}
		catch (UncheckedIOException ex) {
			throw ex.getCause();
		}
	}

}
