package io.ringkernel.spring.ai.storage;

import java.io.IOException;

import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of documents by their rows. Each commit is atomic, and makes a version with a
 * higher number.
 * <p>
 * It names the {@linkplain VectorFile file of vectors} that it belongs to by its
 * identity. That file in turn names a version that is on the disk, so that an older file
 * of documents is not taken for this one.
 */
final class DocumentFile implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DocumentFile.class);

	private static final String IDENTITY = "identity";

	/** Of the file; below it, chunks are rewritten. */
	private static final int MIN_FILL_PERCENT = 50;

	private static final int COMPACTION_BYTES = 4 << 20;

	private final String name;

	private final MVStore store;

	private final boolean isNew;

	private final MVMap<String, Long> properties;

	private final MVMap<Long, StoredRow> rows;

	DocumentFile(String name, MVStore store) {
		this.name = name;
		this.store = store;
		this.isNew = store.getMapNames().isEmpty();
		this.properties = store.openMap("properties",
				new MVMap.Builder<String, Long>().keyType(StringDataType.INSTANCE).valueType(LongDataType.INSTANCE));
		this.rows = store.openMap("rows",
				new MVMap.Builder<Long, StoredRow>().keyType(LongDataType.INSTANCE).valueType(new StoredRowType()));
	}

	/**
	 * Opens a file, or creates it.
	 * @param name the path of the file
	 * @throws StorageException if another process has it open, or it cannot be read
	 */
	static DocumentFile open(String name) {
		MVStore store;
		try {
			// Only commit() writes: a change that is half made must not be on the disk.
			store = new MVStore.Builder().fileName(name).autoCommitDisabled().autoCommitBufferSize(0).open();
		}
		catch (MVStoreException ex) {
			throw new StorageException("%s cannot be opened.".formatted(name),
					"If another process uses it, stop that or set the directory of the store to another directory. If it is damaged, "
							+ StorageException.RESTORE,
					ex);
		}
		try {
			return new DocumentFile(name, store);
		}
		catch (RuntimeException ex) {
			store.closeImmediately();
			throw new StorageException("%s cannot be read.".formatted(name), StorageException.RESTORE_BOTH, ex);
		}
	}

	/**
	 * Keeps documents in memory.
	 */
	static DocumentFile temporary() {
		return new DocumentFile("memory", MVStore.open(null));
	}

	/**
	 * Requires that the vectors are those of these documents. If both files are new, they
	 * belong together from now on.
	 * @throws StorageException if they are not
	 */
	void tieTo(VectorFile vectors) throws IOException {
		if (this.isNew && vectors.isEmpty()) {
			this.properties.put(IDENTITY, vectors.identity());
			this.store.commit();
			this.store.sync();
			return;
		}
		Long identity = this.properties.get(IDENTITY);
		if (identity == null) {
			throw doesNotBelongTo(vectors,
					this.isNew ? "%s is missing or empty, but there are vectors.".formatted(this.name)
							: "%s was written by an earlier version.".formatted(this.name));
		}
		if (identity != vectors.identity()) {
			throw doesNotBelongTo(vectors, "%s was missing, or each is of another store.".formatted(vectors));
		}
		if (version() < vectors.documentsVersion()) {
			throw doesNotBelongTo(vectors, "%s is older: it is of version %d, and version %d was on the disk."
				.formatted(this.name, version(), vectors.documentsVersion()));
		}
	}

	private StorageException doesNotBelongTo(VectorFile vectors, String reason) {
		return new StorageException("%s and %s do not belong together: %s".formatted(this.name, vectors, reason),
				StorageException.RESTORE_BOTH, null);
	}

	MVMap<Long, StoredRow> rows() {
		return this.rows;
	}

	@Nullable StoredRow row(int row) {
		return this.rows.get((long) row);
	}

	/** The number of the version that was committed last. */
	long version() {
		return this.store.getCurrentVersion();
	}

	void commit() {
		this.store.commit();
	}

	/**
	 * What is committed cannot be taken back. If it may not be on the disk, nothing more
	 * is written: rows that are free by the one state are in use by the other.
	 */
	void sync() {
		try {
			this.store.sync();
		}
		catch (MVStoreException ex) {
			this.store.closeImmediately();
			throw new StorageException("It is not known whether the last change is on the disk.",
					"Check the disk, and restart the application: it finds all of the change, or nothing of it.", ex);
		}
	}

	void rollBack() {
		if (!this.store.isClosed()) {
			this.store.rollback();
		}
	}

	void compact() {
		try {
			this.store.compact(MIN_FILL_PERCENT, COMPACTION_BYTES);
		}
		catch (MVStoreException ex) {
			logger.warn("The space of removed documents could not be given back", ex);
		}
	}

	/** Lets the file go as it was committed last. */
	void abandon() {
		this.store.closeImmediately();
	}

	@Override
	public void close() {
		this.store.close();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
