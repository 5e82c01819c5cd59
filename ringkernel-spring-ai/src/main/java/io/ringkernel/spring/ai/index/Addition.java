package io.ringkernel.spring.ai.index;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.ringkernel.spring.ai.filter.Cell;
import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.filter.MetadataJson;
import io.ringkernel.spring.ai.storage.StoredDocument;
import tools.jackson.core.JacksonException;

/**
 * Documents that are added together, each with its row, what is stored of it, and its
 * cells.
 */
record Addition(List<IndexedDocument> documents, int[] rows, List<StoredDocument> stored, List<List<Cell>> cells) {

	/** Columns are made of what is stored, so that loading makes the same ones. */
	static Addition of(List<IndexedDocument> documents, int[] rows, MetadataColumns columns) {
		List<StoredDocument> stored = documents.parallelStream().map(Addition::stored).toList();
		List<List<Cell>> cells = stored.parallelStream()
			.map((document) -> valid(document.id(), () -> MetadataJson.read(document.metadata())))
			.toList()
			.stream()
			.map(columns::add)
			.toList();
		return new Addition(documents, rows, stored, cells);
	}

	private static StoredDocument stored(IndexedDocument document) {
		if (!wellFormed(document.id()).equals(document.id())) {
			throw new IllegalArgumentException(
					"The id of the document '%s' has a half of a surrogate pair, which UTF-8 does not have. Cut ids between code points."
						.formatted(wellFormed(document.id())));
		}
		return new StoredDocument(document.id(), wellFormed(document.text()),
				wellFormed(valid(document.id(), () -> MetadataJson.write(document.metadata()))));
	}

	private static <R> R valid(String id, Supplier<R> conversion) {
		try {
			return conversion.get();
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException(
					"The metadata of the document '%s' cannot be stored: %s. Leave that value out, or make a text of it."
						.formatted(wellFormed(id), ex.getOriginalMessage()),
					ex);
		}
	}

	/** What the disk gives back: a half of a surrogate pair becomes a question mark. */
	private static String wellFormed(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	List<float[]> vectors() {
		return this.documents.stream().map(IndexedDocument::vector).toList();
	}

	Map<StoredDocument, Integer> storedByRow() {
		Map<StoredDocument, Integer> added = new LinkedHashMap<>();
		for (int i = 0; i < this.rows.length; i++) {
			added.put(this.stored.get(i), this.rows[i]);
		}
		return added;
	}

	/** Has memory for all rows. Returns whether the kernel holds the incarnation. */
	boolean reserve(IndexMemory memory, long incarnation) {
		boolean done = true;
		for (int i = 0; i < this.rows.length; i++) {
			done &= memory.reserve(incarnation, this.rows[i], this.cells.get(i));
		}
		return done;
	}

	/** Sends all rows. Returns whether the kernel holds the incarnation. */
	boolean stage(StageBatches batches) {
		for (int i = 0; i < this.rows.length; i++) {
			float[] vector = this.documents.get(i).vector();
			batches.add(this.rows[i], this.cells.get(i),
					(target, offset) -> System.arraycopy(vector, 0, target, offset, vector.length));
		}
		return batches.end();
	}

}
