package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.LongDataType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents and their vectors, each in a row. A change is all there after a crash, or
 * nothing of it: vectors are written to rows that no document uses, and the commit of the
 * documents, which names those rows, is atomic.
 * <p>
 * One thread at a time changes it. Any number read beside it. A document that was removed
 * can be read until its row is {@linkplain #release released}.
 *
 * @since 0.2.0
 */
public final class DocumentStorage implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DocumentStorage.class);

	private static final String DOCUMENTS_FILE = "documents.mv";

	private static final String VECTORS_FILE = "vectors.bin";

	/** Of the documents' file; below it, chunks are rewritten. */
	private static final int MIN_FILL_PERCENT = 50;

	private static final int COMPACTION_BYTES = 4 << 20;

	/** How many rows a thread reads at once while the storage is opened. */
	private static final int ROWS_PER_PART = 4096;

	private final MVStore store;

	private final MVMap<Long, StoredDocument> documents;

	/** Not on the disk: a second map would double what a change costs. */
	private final RowsById rows = new RowsById();

	private final ConcurrentMap<Integer, StoredDocument> removed = new ConcurrentHashMap<>();

	private final VectorFile vectors;

	DocumentStorage(MVStore store, VectorFile vectors) {
		this.store = store;
		this.vectors = vectors;
		this.documents = store.openMap("documents",
				new MVMap.Builder<Long, StoredDocument>().keyType(LongDataType.INSTANCE)
					.valueType(new StoredDocumentType()));
		int parts = (endOfRows() + ROWS_PER_PART - 1) / ROWS_PER_PART;
		IntStream.range(0, parts).parallel().forEach(this::addRows);
	}

	/** All documents are read to find their ids. */
	private void addRows(int part) {
		LongStream.Builder entries = LongStream.builder();
		int from = part * ROWS_PER_PART;
		forEach(from, from + ROWS_PER_PART, (row, document) -> entries.add(this.rows.entry(document.id(), row)));
		long[] all = entries.build().toArray();
		synchronized (this.rows) {
			this.rows.addAll(all);
		}
	}

	/**
	 * Opens the storage in a directory, or creates it.
	 * @param directory where the files are; created if it is not there
	 * @param dimensions the elements of each vector
	 * @return the storage
	 * @throws StorageException if another process has it open, or it cannot be read, or
	 * holds vectors of other dimensions
	 */
	public static DocumentStorage open(Path directory, int dimensions) {
		try {
			Files.createDirectories(directory);
			VectorFile vectors = VectorFile.open(directory.resolve(VECTORS_FILE), dimensions);
			return open(directory.resolve(DOCUMENTS_FILE), vectors);
		}
		catch (IOException ex) {
			throw new StorageException("The vector store cannot be opened in %s.".formatted(directory),
					"Set the directory of the store to a directory that the application may write.", ex);
		}
	}

	private static DocumentStorage open(Path documents, VectorFile vectors) throws IOException {
		MVStore store;
		try {
			// Only commit() writes: a change that is half made must not be on the disk.
			store = new MVStore.Builder().fileName(documents.toString())
				.autoCommitDisabled()
				.autoCommitBufferSize(0)
				.open();
		}
		catch (MVStoreException ex) {
			vectors.close();
			throw new StorageException("%s cannot be opened.".formatted(documents),
					"If another process uses it, stop that or set the directory of the store to another directory.",
					ex);
		}
		DocumentStorage storage = null;
		try {
			storage = new DocumentStorage(store, vectors);
			return storage;
		}
		catch (RuntimeException ex) {
			throw new StorageException("%s cannot be read.".formatted(documents),
					"Restore the directory from a backup, or remove it and add the documents again.", ex);
		}
		finally {
			if (storage == null) {
				store.closeImmediately();
				vectors.close();
			}
		}
	}

	/**
	 * Opens storage that does not outlive it: documents are kept in memory, vectors in a
	 * temporary file.
	 * @param dimensions the elements of each vector
	 * @return the storage
	 */
	public static DocumentStorage temporary(int dimensions) {
		try {
			return new DocumentStorage(MVStore.open(null), VectorFile.temporary(dimensions));
		}
		catch (IOException ex) {
			throw new StorageException("No temporary file can be written.",
					"Set java.io.tmpdir to a directory with free space, or set a directory for the store.", ex);
		}
	}

	/**
	 * How many documents there are.
	 * @return a count
	 */
	public int size() {
		return this.documents.size();
	}

	/**
	 * Which rows are in use. Nothing may be changed meanwhile.
	 * @return their numbers, in no order
	 */
	public IntStream rows() {
		return this.rows.all();
	}

	/**
	 * Finds the row of a document. Nothing may be changed meanwhile.
	 * @param id the id of the document
	 * @return the row, or {@code null} if there is no such document
	 */
	public @Nullable Integer rowOf(String id) {
		int row = this.rows.find(id, (candidate) -> {
			StoredDocument document = this.documents.get((long) candidate);
			return document != null && document.id().equals(id);
		});
		return (row >= 0) ? row : null;
	}

	/**
	 * Reads the document of a row.
	 * @param row a row that was not released
	 * @return the document, or {@code null} if the row has none
	 */
	public @Nullable StoredDocument document(int row) {
		StoredDocument present = this.documents.get((long) row);
		StoredDocument found = (present != null) ? present : this.removed.get(row);
		// A removal that was rolled back in between is in neither when it is looked at.
		return (found != null) ? found : this.documents.get((long) row);
	}

	/**
	 * Reads the vector of a document. Nothing may be changed meanwhile, so that the row
	 * stays the document's own.
	 * @param id the id of the document
	 * @return the vector as it was embedded, or {@code null} if there is no such document
	 */
	public float @Nullable [] vector(String id) {
		Integer row = rowOf(id);
		return (row != null) ? vectors(row) : null;
	}

	/**
	 * Reads the vectors of rows that were not released.
	 * @param wanted the rows
	 * @return the vectors, as they were embedded, one after another
	 */
	public float[] vectors(int... wanted) {
		try {
			return this.vectors.read(wanted);
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	/**
	 * Reads the vector of a row that was not released.
	 * @param row the row
	 * @param target what it is written to, as it was embedded
	 * @param offset where in there it begins
	 */
	public void readVector(int row, float[] target, int offset) {
		try {
			this.vectors.read(row, target, offset);
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	private static StorageException unreadable(IOException ex) {
		return new StorageException("Stored vectors could not be read.",
				"Check the disk that holds them, or restore the directory from a backup.", ex);
	}

	/**
	 * Begins to write vectors to rows that no document uses.
	 * @param freeRows the rows
	 * @param contents the vector of each
	 * @return what is to be closed before another change
	 */
	public VectorWrite writeVectors(int[] freeRows, List<float[]> contents) {
		return new VectorWrite(() -> {
			try {
				this.vectors.write(freeRows, contents);
				this.vectors.force();
			}
			catch (IOException ex) {
				throw new StorageException("%d vectors could not be written.".formatted(freeRows.length),
						"Make room on the disk that holds them. Nothing was added.", ex);
			}
		});
	}

	/**
	 * Adds documents, in place of those with the same ids, all at once. It is on the disk
	 * when this method returns.
	 * @param added documents, with their rows; no id twice
	 * @param vectors the write of their vectors, which the commit waits for
	 * @param beforeCommit what else comes before the commit; if it fails, nothing is
	 * changed
	 * @return the rows that are no longer in use, to be released
	 * @throws StorageException if documents or vectors cannot be written; nothing is
	 * changed then, unless it says that this is not known
	 */
	public List<Integer> add(Map<StoredDocument, Integer> added, VectorWrite vectors, Runnable beforeCommit) {
		return commit(added, List.of(), () -> {
			vectors.await();
			beforeCommit.run();
		});
	}

	/**
	 * Removes documents. It is on the disk when this method returns.
	 * @param removedIds the ids of the documents; unknown ones are ignored
	 * @return the rows that are no longer in use, to be released
	 * @throws StorageException if that cannot be written; nothing is changed then, unless
	 * it says that this is not known
	 */
	public List<Integer> remove(Collection<String> removedIds) {
		return commit(Map.of(), removedIds, () -> {
		});
	}

	private List<Integer> commit(Map<StoredDocument, Integer> added, Collection<String> removedIds,
			Runnable vectorsAreWritten) {
		Map<Integer, StoredDocument> unused = new LinkedHashMap<>();
		try {
			removedIds.forEach((id) -> remove(id, unused));
			added.forEach((document, row) -> {
				remove(document.id(), unused);
				this.documents.put((long) row, document);
			});
			// The commit names the rows, so their vectors come first.
			vectorsAreWritten.run();
			this.rows.reserve(added.size());
			this.store.commit();
		}
		catch (MVStoreException ex) {
			rollBack(unused.keySet());
			throw new StorageException("%d documents could not be written.".formatted(added.size()),
					"Make room on the disk that holds them. Nothing was changed.", ex);
		}
		catch (RuntimeException | Error ex) {
			rollBack(unused.keySet());
			throw ex;
		}
		unused.forEach((row, document) -> this.rows.remove(document.id(), row));
		added.forEach((document, row) -> this.rows.add(document.id(), row));
		sync();
		return List.copyOf(unused.keySet());
	}

	/**
	 * What is committed cannot be taken back. If it may not be on the disk, nothing more
	 * is written: rows that are free by the one state are in use by the other.
	 */
	private void sync() {
		try {
			this.store.sync();
		}
		catch (MVStoreException ex) {
			this.store.closeImmediately();
			throw new StorageException("It is not known whether the last change is on the disk.",
					"Check the disk, and restart the application: it finds all of the change, or nothing of it.", ex);
		}
	}

	private void rollBack(Collection<Integer> unused) {
		if (!this.store.isClosed()) {
			this.store.rollback();
		}
		unused.forEach(this.removed::remove);
	}

	/** Searches go on to read what is removed. */
	private void remove(String id, Map<Integer, StoredDocument> unused) {
		Integer row = rowOf(id);
		StoredDocument document = (row != null) ? this.documents.get((long) row) : null;
		if (row != null && document != null) {
			this.removed.put(row, document);
			unused.put(row, document);
			this.documents.remove((long) row);
		}
	}

	/**
	 * Forgets the document that a row had: no search reads it any more, and it may be
	 * used again.
	 * @param row a row that a commit no longer uses
	 */
	public void release(int row) {
		this.removed.remove(row);
	}

	/**
	 * Gives space back that removed documents have taken, a bounded share of it.
	 */
	public void compact() {
		try {
			this.store.compact(MIN_FILL_PERCENT, COMPACTION_BYTES);
		}
		catch (MVStoreException ex) {
			logger.warn("The space of removed documents could not be given back", ex);
		}
	}

	/**
	 * The row behind the last that is in use. Nothing may be changed meanwhile.
	 * @return 0 if there is none
	 */
	public int endOfRows() {
		Long last = this.documents.lastKey();
		return (last != null) ? Math.toIntExact(last + 1) : 0;
	}

	/**
	 * Reads documents in the order of their rows. Any number of threads.
	 * @param from the first row
	 * @param to the row behind the last
	 * @param visitor what is told of each document
	 * @return how many there are
	 */
	public int forEach(int from, int to, Visitor visitor) {
		Cursor<Long, StoredDocument> cursor = this.documents.cursor((long) from, to - 1L, false);
		int count = 0;
		for (; cursor.hasNext(); count++) {
			int row = Math.toIntExact(cursor.next());
			visitor.visit(row, cursor.getValue());
		}
		return count;
	}

	@Override
	public void close() {
		try (this.vectors) {
			this.store.close();
		}
		catch (IOException ex) {
			throw new StorageException("The file of vectors could not be closed.",
					"Everything that was added is on the disk all the same.", ex);
		}
	}

	/**
	 * Is told of stored documents.
	 *
	 * @since 0.2.0
	 */
	@FunctionalInterface
	public interface Visitor {

		/**
		 * Visits a document.
		 * @param row its row
		 * @param document the document
		 */
		void visit(int row, StoredDocument document);

	}

}
