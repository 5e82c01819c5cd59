package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;

import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVStoreException;

/**
 * The documents and vectors of one moment, to be read once while others are changed. Rows
 * that it holds must not be {@linkplain DocumentStorage#release released} before it is
 * closed.
 *
 * @since 0.2.0
 */
public final class StorageSnapshot implements AutoCloseable {

	private final DocumentFile file;

	private final DocumentFile.Version documents;

	private final Cursor<Long, StoredRow> rows;

	private final VectorFile vectors;

	private final int endOfRows;

	private final Runnable closed;

	StorageSnapshot(DocumentFile documents, VectorFile vectors, Runnable closed) {
		this.file = documents;
		this.documents = documents.hold();
		this.rows = documents.cursor();
		this.vectors = vectors;
		this.endOfRows = documents.endOfRows();
		this.closed = closed;
	}

	/**
	 * Copies both files to a directory. It is there with all of them, or not at all.
	 * @param directory the directory, which is not there yet, or empty
	 * @return how many documents there are
	 * @throws StorageException if it holds files, or cannot be written
	 */
	public int copyTo(Path directory) {
		try {
			return StorageDirectory.create(directory, (documentsCopy, vectorsCopy) -> {
				try (VectorFile copy = this.vectors.create(vectorsCopy);
						DocumentFile copied = DocumentFile.open(documentsCopy.toString())) {
					copied.tieTo(copy);
					copy.noteModel();
					copy.copyRows(this.vectors, this.endOfRows);
					int count = copied.append(this.rows);
					copy.noteDocumentsVersion(copied.version());
					copy.force();
					return count;
				}
			});
		}
		catch (IOException | MVStoreException ex) {
			throw new StorageException("No snapshot could be written to %s.".formatted(directory),
					"Name a directory that the application may write, on a disk with free space, and keep the store open.",
					ex);
		}
	}

	/**
	 * Reads all documents with their vectors, in the order of their rows.
	 * @param visitor takes each, with its vector as it was embedded
	 * @return how many there are
	 * @throws StorageException if they cannot be read, or one is damaged
	 */
	public int forEach(BiConsumer<StoredDocument, float[]> visitor) {
		int count = 0;
		for (; this.rows.hasNext(); count++) {
			int row = Math.toIntExact(this.rows.next());
			StoredRow stored = this.rows.getValue();
			float[] vector = this.vectors.stored().read(row, stored, this.file);
			visitor.accept(stored.document(), vector);
		}
		return count;
	}

	@Override
	public void close() {
		try {
			this.documents.close();
		}
		finally {
			this.closed.run();
		}
	}

}
