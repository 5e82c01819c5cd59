package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.Page;
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

	/** So many rows that are appended are in memory at most. */
	private static final int ROWS_PER_COMMIT = 4096;

	/** How long the file is made smaller when it is closed. */
	private static final int CLOSING_MILLIS = 2000;

	private final String name;

	private final Supplier<MVStore> opener;

	private final boolean isNew;

	/** Replaced after a commit has failed. */
	private volatile Opening opening;

	DocumentFile(String name, Supplier<MVStore> opener) {
		this.name = name;
		this.opener = opener;
		MVStore store = opener.get();
		try {
			this.isNew = store.getMapNames().isEmpty();
			this.opening = Opening.of(store);
		}
		catch (RuntimeException ex) {
			store.closeImmediately();
			throw new StorageException("%s cannot be read.".formatted(name), StorageException.RESTORE_BOTH, ex);
		}
	}

	/** Opens a file, or creates it, unless another process has it open. */
	static DocumentFile open(String name) {
		return new DocumentFile(name, () -> openStore(name));
	}

	private static MVStore openStore(String name) {
		try {
			// Only commit() writes: a change that is half made must not be on the disk.
			return new MVStore.Builder().fileName(SteadyPath.name(name))
				.autoCommitDisabled()
				.autoCommitBufferSize(0)
				.open();
		}
		catch (MVStoreException ex) {
			throw (ex.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) ? StorageException.inUse(name, ex)
					: new StorageException("%s cannot be opened.".formatted(name),
							"If it is damaged, " + StorageException.RESTORE, ex);
		}
	}

	static DocumentFile temporary() {
		return new DocumentFile("memory", () -> MVStore.open(null));
	}

	/** Requires that both files belong together; new ones do from now on. */
	void tieTo(VectorFile vectors) throws IOException {
		if (this.isNew && vectors.isEmpty()) {
			this.opening.properties().put(IDENTITY, vectors.identity());
			this.opening.store().commit();
			this.opening.store().sync();
			return;
		}
		Long identity = this.opening.properties().get(IDENTITY);
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

	/** For the thread that changes documents. */
	MVMap<Long, StoredRow> rows() {
		return this.opening.rows();
	}

	/** Reads a row. Any number of threads, also while a commit fails. */
	@Nullable StoredRow row(int row) {
		Opening current = this.opening;
		try {
			return current.rows().get((long) row);
		}
		catch (MVStoreException ex) {
			return reopened(current, ex).rows().get((long) row);
		}
	}

	/** The row behind the last that is in use; 0 if there is none. */
	int endOfRows() {
		Long last = rows().lastKey();
		return (last != null) ? Math.toIntExact(last + 1) : 0;
	}

	/**
	 * Reads documents in the order of their rows, from {@code from} to before {@code to},
	 * and counts them. Any number of threads.
	 */
	int forEach(int from, int to, ObjIntConsumer<StoredRow> visitor) {
		Cursor<Long, StoredRow> cursor = rows().cursor((long) from, to - 1L, false);
		int count = 0;
		for (; cursor.hasNext(); count++) {
			int row = Math.toIntExact(cursor.next());
			visitor.accept(cursor.getValue(), row);
		}
		return count;
	}

	/** Holds what was committed last, so that it can be read while others commit. */
	Version hold() {
		Opening current = this.opening;
		return new Version(current.store(), current.store().registerVersionUsage(), current.rows(),
				current.rows().getRootPage());
	}

	/** Reads all rows of the version that was committed last, as long as that is held. */
	Cursor<Long, StoredRow> cursor() {
		return rows().cursor(null);
	}

	/** Appends rows to a file that has none, has them on the disk, and counts them. */
	int append(Cursor<Long, StoredRow> appended) {
		int count = 0;
		while (appended.hasNext()) {
			rows().append(appended.next(), appended.getValue());
			if (++count % ROWS_PER_COMMIT == 0) {
				this.opening.store().commit();
			}
		}
		this.opening.store().commit();
		this.opening.store().sync();
		return count;
	}

	private synchronized Opening reopened(Opening closed, MVStoreException failure) {
		if (this.opening.equals(closed)) {
			throw new StorageException("%s could not be read.".formatted(this.name),
					closed.store().isClosed() ? "The store is closed: restart the application."
							: "Check the disk that holds it, or " + StorageException.RESTORE,
					failure);
		}
		return this.opening;
	}

	long version() {
		return this.opening.store().getCurrentVersion();
	}

	/**
	 * Commits what was changed. MVStore closes itself when a write fails. The file is
	 * then opened again, as the last commit that is in it has left it.
	 * @throws MVStoreException if it failed, and changed nothing
	 * @throws StorageException if it failed, and the file cannot be opened again
	 */
	synchronized void commit() {
		long before = version();
		try {
			this.opening.store().commit();
		}
		catch (MVStoreException ex) {
			reopen(ex);
			if (version() == before) {
				throw ex;
			}
			logger.warn("A commit of {} has failed, but all of it is in the file", this.name, ex);
		}
	}

	private void reopen(MVStoreException failure) {
		this.opening.store().closeImmediately();
		try {
			this.opening = Opening.of(this.opener.get());
		}
		catch (MVStoreException | StorageException ex) {
			failure.addSuppressed(ex);
			throw unknown(failure);
		}
	}

	/**
	 * What is committed cannot be taken back. If it may not be on the disk, nothing more
	 * is written: rows that are free by the one state are in use by the other.
	 */
	void sync() {
		try {
			this.opening.store().sync();
		}
		catch (MVStoreException ex) {
			this.opening.store().closeImmediately();
			throw unknown(ex);
		}
	}

	private static StorageException unknown(MVStoreException failure) {
		return new StorageException("It is not known whether the last change is on the disk.",
				"Check the disk, and restart the application: it finds all of the change, or nothing of it.", failure);
	}

	synchronized void rollBack() {
		MVStore store = this.opening.store();
		if (store.isClosed() || !store.hasUnsavedChanges()) {
			return;
		}
		try {
			store.rollback();
		}
		catch (MVStoreException ex) {
			// It writes too, so a full disk stops it.
			reopen(ex);
		}
	}

	synchronized void compact() {
		try {
			this.opening.store().compact(MIN_FILL_PERCENT, COMPACTION_BYTES);
		}
		catch (MVStoreException ex) {
			logger.warn("The space of removed documents could not be given back", ex);
			if (this.opening.store().isClosed()) {
				reopen(ex);
			}
		}
	}

	/** Lets the file go as it was committed last. */
	void abandon() {
		this.opening.store().closeImmediately();
	}

	/** Gives back most of the space of removed documents, as far as there is time. */
	@Override
	public void close() {
		MVStore store = this.opening.store();
		if (!store.isClosed() && store.isPersistent()) {
			try {
				store.setVersionsToKeep(0);
				store.compactFile(CLOSING_MILLIS);
			}
			catch (MVStoreException ex) {
				logger.warn("{} is closed without giving back the space of removed documents", this.name, ex);
			}
		}
		store.close();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/** What was committed once. MVStore overwrites nothing of it before it is closed. */
	record Version(MVStore store, MVStore.TxCounter usage, MVMap<Long, StoredRow> rows,
			Page<Long, StoredRow> root) implements AutoCloseable {

		/**
		 * Reads a row. Any number of threads. If the file was closed since, throws an
		 * {@link MVStoreException}.
		 */
		@Nullable StoredRow row(int row) {
			return this.rows.get(this.root, (long) row);
		}

		@Override
		public void close() {
			this.store.deregisterVersionUsage(this.usage);
		}

	}

	/** The file from when it is opened until MVStore closes it. */
	private record Opening(MVStore store, MVMap<String, Long> properties, MVMap<Long, StoredRow> rows) {

		static Opening of(MVStore store) {
			return new Opening(store,
					store.openMap("properties",
							new MVMap.Builder<String, Long>().keyType(StringDataType.INSTANCE)
								.valueType(LongDataType.INSTANCE)),
					store.openMap("rows", new MVMap.Builder<Long, StoredRow>().keyType(LongDataType.INSTANCE)
						.valueType(new StoredRowType())));
		}

	}

}
