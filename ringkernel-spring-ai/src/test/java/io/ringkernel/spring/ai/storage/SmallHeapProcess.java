package io.ringkernel.spring.ai.storage;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Stores more text than its heap holds, removes it by the ids and all at once, and prints
 * how many documents it has removed.
 */
public final class SmallHeapProcess {

	static final int DOCUMENTS = 800;

	private static final int DOCUMENTS_PER_ADD = 50;

	/** 80 MB in all. */
	private static final String TEXT = "x".repeat(100_000);

	private SmallHeapProcess() {
	}

	public static void main(String[] arguments) {
		Path directory = Path.of(arguments[0]);
		fill(directory);
		try (DocumentStorage storage = open(directory)) {
			List<Integer> rows = storage.remove(IntStream.range(0, DOCUMENTS).mapToObj(String::valueOf).toList());
			// A search goes on to read them.
			if (!storage.document(rows.get(0)).text().equals(TEXT)) {
				throw new IllegalStateException("A document that was removed is read in vain");
			}
			rows.forEach(storage::release);
			System.out.println(rows.size());
		}
		fill(directory);
		try (DocumentStorage storage = open(directory)) {
			System.out.println(storage.removeAll().size());
		}
	}

	private static DocumentStorage open(Path directory) {
		return DocumentStorage.open(directory, 1, "");
	}

	private static void fill(Path directory) {
		try (DocumentStorage storage = open(directory)) {
			for (int from = 0; from < DOCUMENTS; from += DOCUMENTS_PER_ADD) {
				add(storage, IntStream.range(from, from + DOCUMENTS_PER_ADD).toArray());
			}
		}
	}

	private static void add(DocumentStorage storage, int[] rows) {
		Map<StoredDocument, Integer> documents = new LinkedHashMap<>();
		for (int row : rows) {
			documents.put(new StoredDocument(String.valueOf(row), TEXT, "{}"), row);
		}
		List<float[]> vectors = IntStream.of(rows).mapToObj((row) -> new float[] { row }).toList();
		try (VectorWrite written = storage.writeVectors(rows, vectors)) {
			storage.add(documents, written, () -> {
			});
		}
	}

}
