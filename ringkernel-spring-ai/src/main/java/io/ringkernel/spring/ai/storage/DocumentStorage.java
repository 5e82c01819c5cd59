package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.ringkernel.spring.ai.storage.RemovedRows.Removal;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents and their vectors, each in a row. A change is all there after a crash, or
 * nothing of it: vectors are written to rows that no document uses, and the commit of the
 * documents, which names those rows, is atomic. With each row it stores the checksum of
 * its vector, so that the vectors of another moment, and damaged ones, are not taken for
 * those of the documents.
 * <p>
 * One thread at a time changes it. Any number read beside it. A document that was removed
 * can be read until its row is {@linkplain #release released}.
 *
 * @since 0.2.0
 */
public final class DocumentStorage implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DocumentStorage.class);

	/** How many rows a thread reads at once while the storage is opened. */
	private static final int ROWS_PER_PART = 4096;

	private final DocumentFile documents;

	/** Not on the disk: a second map would double what a change costs. */
	private final RowsById rows = new RowsById();

	private final RemovedRows removed;

	private final VectorFile vectors;

	/** As of the last commit: a change that is being made does not count. */
	private volatile int size;

	/** Says that its files are closed. */
	private final Runnable closed;

	DocumentStorage(DocumentFile documents, VectorFile vectors) {
		this(documents, vectors, () -> {
		});
	}

	DocumentStorage(DocumentFile documents, VectorFile vectors, Runnable closed) {
		this.documents = documents;
		this.removed = new RemovedRows(documents);
		this.vectors = vectors;
		this.closed = closed;
		this.size = documents.rows().size();
		int parts = (endOfRows() + ROWS_PER_PART - 1) / ROWS_PER_PART;
		IntStream.range(0, parts).parallel().forEach(this::addRows);
	}

	/** All documents are read to find their ids. */
	private void addRows(int part) {
		LongStream.Builder entries = LongStream.builder();
		int from = part * ROWS_PER_PART;
		this.documents.forEach(from, from + ROWS_PER_PART,
				(stored, row) -> entries.add(this.rows.entry(stored.document().id(), row)));
		long[] all = entries.build().toArray();
		synchronized (this.rows) {
			this.rows.addAll(all);
		}
	}

	/**
	 * Opens the storage in a directory, or creates it.
	 * @param directory where the files are; created if it is not there
	 * @param dimensions the elements of each vector
	 * @param model the name of their model, which the storage notes; empty if not known
	 * @return the storage
	 * @throws StorageException if it is in use or cannot be read, has other dimensions or
	 * another model, or its files do not belong together
	 */
	public static DocumentStorage open(Path directory, int dimensions, String model) {
		return StorageDirectory.open(directory, dimensions, model);
	}

	/**
	 * Opens storage in memory and a temporary file, which are gone when it is closed.
	 * @param dimensions the elements of each vector
	 * @return the storage
	 */
	public static DocumentStorage temporary(int dimensions) {
		try {
			return new DocumentStorage(DocumentFile.temporary(), VectorFile.temporary(dimensions));
		}
		catch (IOException ex) {
			throw new StorageException("No temporary file can be written.",
					"Set java.io.tmpdir to a directory with free space, or set a directory for the store.", ex);
		}
	}

	/**
	 * How many documents the last commit has left. Any number of threads.
	 * @return a count
	 */
	public int size() {
		return this.size;
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
			StoredRow stored = this.documents.row(candidate);
			return stored != null && stored.document().id().equals(id);
		});
		return (row >= 0) ? row : null;
	}

	/**
	 * Reads the document of a row.
	 * @param row a row that was not released
	 * @return the document, or {@code null} if the row has none
	 * @throws StorageException if it cannot be read, or was removed before a commit that
	 * has failed
	 */
	public @Nullable StoredDocument document(int row) {
		StoredRow stored = this.removed.find(row);
		return (stored != null) ? stored.document() : null;
	}

	/**
	 * Reads the vector of a document. Nothing may be changed meanwhile.
	 * @param id the id of the document
	 * @return the vector as it was embedded, or {@code null} if there is no such document
	 * @throws StorageException if it cannot be read, or is damaged
	 */
	public float @Nullable [] vector(String id) {
		Integer row = rowOf(id);
		if (row == null) {
			return null;
		}
		return this.vectors.stored().read(row, Objects.requireNonNull(this.documents.row(row)), this.documents);
	}

	/**
	 * Reads the vectors of rows that were not released, without comparing checksums.
	 * @param wanted the rows
	 * @return the vectors, as they were embedded, one after another
	 */
	public float[] vectors(int... wanted) {
		return this.vectors.stored().read(wanted);
	}

	/**
	 * Begins to write vectors to rows that no document uses.
	 * @param freeRows the rows
	 * @param contents the vector of each
	 * @return what is to be closed before another change
	 */
	public VectorWrite writeVectors(int[] freeRows, List<float[]> contents) {
		Map<Integer, Integer> checksums = new HashMap<>();
		for (int i = 0; i < freeRows.length; i++) {
			checksums.put(freeRows[i], StoredRow.checksum(contents.get(i)));
		}
		return new VectorWrite(checksums, () -> {
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
	 * @param beforeCommit what else comes before it; if that fails, nothing is changed
	 * @return the rows that are no longer in use, to be released
	 * @throws StorageException if that cannot be written; nothing is changed then, unless
	 * it says that this is not known
	 */
	public List<Integer> add(Map<StoredDocument, Integer> added, VectorWrite vectors, Runnable beforeCommit) {
		Map<Integer, StoredRow> stored = new LinkedHashMap<>();
		added.forEach((document, row) -> stored.put(row, new StoredRow(document, vectors.checksum(row))));
		return commit(stored, (removal) -> {
		}, () -> {
			vectors.await();
			beforeCommit.run();
		});
	}

	/**
	 * Removes documents. It is on the disk when this method returns.
	 * @param removedIds the ids of the documents; unknown ones are ignored
	 * @return the rows that are no longer in use, to be released
	 * @throws StorageException as {@link #add} does
	 */
	public List<Integer> remove(Collection<String> removedIds) {
		return commit(Map.of(), (removal) -> removedIds.forEach((id) -> remove(id, removal)), () -> {
		});
	}

	/**
	 * Removes all documents at once. It is on the disk when this method returns.
	 * @return the rows that were in use, to be released
	 * @throws StorageException as {@link #add} does
	 */
	public List<Integer> removeAll() {
		return commit(Map.of(), this::removeAll, () -> {
		});
	}

	private void removeAll(Removal removal) {
		this.rows.entries().forEach(removal::add);
		this.documents.rows().clear();
	}

	private List<Integer> commit(Map<Integer, StoredRow> added, Consumer<Removal> remover, Runnable vectorsAreWritten) {
		try (Removal removal = this.removed.begin()) {
			commit(added, removal, remover, vectorsAreWritten);
			removal.entries().forEach(this.rows::remove);
			added.forEach((row, stored) -> this.rows.add(stored.document().id(), row));
			this.size = this.documents.rows().size();
			this.documents.sync();
			noteVersion();
			return removal.rows();
		}
	}

	private void commit(Map<Integer, StoredRow> added, Removal removal, Consumer<Removal> remover,
			Runnable vectorsAreWritten) {
		try {
			remover.accept(removal);
			added.forEach((row, stored) -> {
				remove(stored.document().id(), removal);
				this.documents.rows().put((long) row, stored);
			});
			// The commit names the rows, so their vectors come first.
			vectorsAreWritten.run();
			this.rows.reserve(added.size());
			this.documents.commit();
		}
		catch (MVStoreException ex) {
			rollBack(removal);
			throw new StorageException(
					"A change of the documents could not be written to %s.".formatted(this.documents),
					"Make room on the disk that holds them. Nothing was changed.", ex);
		}
		catch (RuntimeException | Error ex) {
			rollBack(removal);
			throw ex;
		}
	}

	/** What is committed stays so, whether or not it is noted. */
	private void noteVersion() {
		try {
			this.vectors.noteDocumentsVersion(this.documents.version());
		}
		catch (IOException ex) {
			logger.warn("{} does not say that version {} of {} is on the disk, so an older one is not refused",
					this.vectors, this.documents.version(), this.documents, ex);
		}
	}

	private void rollBack(Removal removal) {
		this.documents.rollBack();
		removal.rollBack();
	}

	/** Searches go on to read what is removed. */
	private void remove(String id, Removal removal) {
		Integer row = rowOf(id);
		if (row != null) {
			removal.add(this.rows.entry(id, row));
			this.documents.rows().remove((long) row);
		}
	}

	/**
	 * Forgets the document that a row had: no search reads it any more, and it may be
	 * used again.
	 * @param row a row that a commit no longer uses
	 */
	public void release(int row) {
		this.removed.release(row);
	}

	/**
	 * Begins to read the last commit. Nothing may be changed meanwhile, but afterwards.
	 * @param closed told when the rows of the snapshot may be released
	 * @return the documents and vectors, to be closed
	 */
	public StorageSnapshot snapshot(Runnable closed) {
		return new StorageSnapshot(this.documents, this.vectors, closed);
	}

	/**
	 * Gives space back that removed documents have taken, a bounded share of it.
	 */
	public void compact() {
		this.documents.compact();
	}

	/**
	 * The row behind the last that is in use. Nothing may be changed meanwhile.
	 * @return 0 if there is none
	 */
	public int endOfRows() {
		return this.documents.endOfRows();
	}

	/**
	 * Reads documents in the order of their rows. Any number of threads.
	 * @param from the first row
	 * @param to the row behind the last
	 * @param visitor what is told of each document
	 * @return how many there are
	 */
	public int forEach(int from, int to, DocumentVisitor visitor) {
		return this.documents.forEach(from, to, (stored, row) -> visitor.visit(row, stored.document(),
				(target, offset) -> this.vectors.stored().read(row, stored, this.documents, target, offset)));
	}

	@Override
	public void close() {
		try (this.vectors) {
			this.removed.close();
			this.documents.close();
		}
		catch (IOException ex) {
			throw new StorageException("The file of vectors could not be closed.",
					"Everything that was added is on the disk all the same.", ex);
		}
		finally {
			this.closed.run();
		}
	}

}
