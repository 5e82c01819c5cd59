package io.ringkernel.spring.ai.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Rows that changes have removed and whose documents are read on. The documents stay in
 * the file: a change holds the version before it until the last of its rows is released.
 * Any number of threads read, and one at a time does the rest.
 */
final class RemovedRows implements AutoCloseable {

	private final DocumentFile documents;

	private final ConcurrentMap<Integer, Removal> removals = new ConcurrentHashMap<>();

	RemovedRows(DocumentFile documents) {
		this.documents = documents;
	}

	Removal begin() {
		return new Removal(this.documents.hold());
	}

	/**
	 * What a row holds, or held before it was removed; {@code null} if it was released,
	 * or never used. Throws a {@link StorageException} if it was removed, and a commit
	 * has failed since.
	 */
	@Nullable StoredRow find(int row) {
		StoredRow present = this.documents.row(row);
		Removal removal = (present == null) ? this.removals.get(row) : null;
		if (removal == null) {
			// A removal that was rolled back in between is in neither when it is looked
			// at.
			return (present != null) ? present : this.documents.row(row);
		}
		try {
			return removal.before.row(row);
		}
		catch (MVStoreException ex) {
			StoredRow restored = this.documents.row(row);
			if (restored == null) {
				throw new StorageException(
						"The document that row %d of %s had could not be read, because a commit has failed since it was removed."
							.formatted(row, this.documents),
						"Search again.", ex);
			}
			return restored;
		}
	}

	void release(int row) {
		Removal removal = this.removals.remove(row);
		if (removal != null) {
			removal.close();
		}
	}

	/** Forgets what all rows held. */
	@Override
	public void close() {
		List.copyOf(this.removals.keySet()).forEach(this::release);
	}

	/** A change, until it is closed and its rows are released. */
	final class Removal implements AutoCloseable {

		private final DocumentFile.Version before;

		/** Those of its rows, which stand for them by their ids. */
		private final List<Long> entries = new ArrayList<>();

		/** Itself and its rows. */
		private final AtomicInteger users = new AtomicInteger(1);

		private Removal(DocumentFile.Version before) {
			this.before = before;
		}

		/** Adds a row, before it is removed, by its {@linkplain RowsById#entry entry}. */
		void add(long entry) {
			this.entries.add(entry);
			this.users.incrementAndGet();
			RemovedRows.this.removals.put(RowsById.rowOf(entry), this);
		}

		List<Long> entries() {
			return this.entries;
		}

		List<Integer> rows() {
			return this.entries.stream().map(RowsById::rowOf).toList();
		}

		/** Says that nothing is removed after all. */
		void rollBack() {
			rows().forEach(RemovedRows.this::release);
		}

		@Override
		public void close() {
			if (this.users.decrementAndGet() == 0) {
				this.before.close();
			}
		}

	}

}
