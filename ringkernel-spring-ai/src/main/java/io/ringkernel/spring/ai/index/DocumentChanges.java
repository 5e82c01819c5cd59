package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import io.ringkernel.exception.RingKernelException;
import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.DeviceFullException;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StorageException;
import io.ringkernel.spring.ai.storage.VectorWrite;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes to the storage and to the kernel, and lets searches see them. One thread
 * at a time.
 */
final class DocumentChanges {

	private static final Logger logger = LoggerFactory.getLogger(DocumentChanges.class);

	/** After so many changes the storage gives space back. */
	private static final int CHANGES_PER_COMPACTION = 256;

	private final DocumentStorage storage;

	private final SearchKernel kernel;

	private final IndexMemory memory;

	private final MetadataColumns columns;

	private final Snapshots snapshots;

	private final Supplier<StageBatches> batches;

	private final RowGraph graph;

	private final Rows rows = new Rows();

	private long changes;

	/** Why the last change was not stored. A load clears nothing: it writes nothing. */
	private volatile @Nullable String problem;

	DocumentChanges(DocumentStorage storage, SearchKernel kernel, IndexMemory memory, MetadataColumns columns,
			Snapshots snapshots, Supplier<StageBatches> batches, RowGraph graph) {
		this.storage = storage;
		this.kernel = kernel;
		this.memory = memory;
		this.columns = columns;
		this.snapshots = snapshots;
		this.batches = batches;
		this.graph = graph;
		storage.rows().forEach(this.rows::markUsed);
	}

	@Nullable String problem() {
		return this.problem;
	}

	/** Adds documents, no id twice, in place of those with the same ids. */
	void add(List<IndexedDocument> documents) {
		int[] taken = this.rows.take(documents.size());
		List<Integer> unused = store(documents, taken);
		for (int i = 0; i < taken.length; i++) {
			this.graph.add(taken[i], documents.get(i).vector(), 0, this.snapshots.nextVersion());
		}
		publish(unused);
	}

	void remove(Collection<String> ids) {
		publish(orLose(() -> this.storage.remove(ids)));
	}

	void removeAll() {
		publish(orLose(this.storage::removeAll));
	}

	/** Vectors are written and sent while documents are prepared for the commit. */
	private List<Integer> store(List<IndexedDocument> documents, int[] taken) {
		try {
			Addition addition = Addition.of(documents, taken, this.columns);
			reserve(addition);
			try (VectorWrite vectors = this.storage.writeVectors(taken, addition.vectors());
					Staging staging = new Staging(1, () -> loseUnless(addition.stage(this.batches.get())))) {
				return orLose(() -> this.storage.add(addition.storedByRow(), vectors, staging::await));
			}
		}
		catch (RuntimeException | Error ex) {
			this.rows.giveBack(taken);
			throw ex;
		}
	}

	/** Before the first row is sent: what does not fit disturbs nothing. */
	private void reserve(Addition addition) {
		try {
			loseUnless(addition.reserve(this.memory, this.snapshots.incarnation()));
		}
		catch (DeviceFullException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			this.snapshots.lose(this.snapshots.incarnation());
			throw ex;
		}
	}

	/** What fails from now on undoes nothing: the index is loaded again. */
	private void publish(List<Integer> unused) {
		this.graph.retire(unused, this.snapshots.nextVersion());
		try {
			retire(unused);
		}
		catch (RingKernelException ex) {
			this.snapshots.lose(this.snapshots.incarnation());
			logger.warn("The kernel was not told of {} removed documents, so its index will be loaded again",
					unused.size(), ex);
		}
		this.rows.retire(unused, this.snapshots.publish());
		this.rows.reclaim(this.snapshots.oldest(), this::release);
		// A load begins with empty columns.
		loseUnless(!this.columns.isWornBy(unused.size(), this.storage.size()));
		if (++this.changes % CHANGES_PER_COMPACTION == 0) {
			this.storage.compact();
		}
	}

	private void release(int row) {
		this.storage.release(row);
		this.graph.release(row);
	}

	private void retire(List<Integer> unused) {
		List<VectorSearchRequest> requests = new ArrayList<>();
		for (int from = 0; from < unused.size(); from += VectorSearchRequest.MAX_ROWS) {
			int to = Math.min(unused.size(), from + VectorSearchRequest.MAX_ROWS);
			requests.add(VectorSearchRequest.retire(this.snapshots.incarnation(), this.snapshots.nextEpoch(),
					unused.subList(from, to).stream().mapToInt(Integer::intValue).toArray()));
		}
		loseUnless(this.kernel.change(requests));
	}

	/** What was sent may still arrive, so nobody may search this incarnation again. */
	private <R> R orLose(Supplier<R> change) {
		try {
			R done = change.get();
			this.problem = null;
			return done;
		}
		catch (RuntimeException | Error ex) {
			if (ex instanceof StorageException) {
				this.problem = ex.getMessage();
			}
			this.snapshots.lose(this.snapshots.incarnation());
			throw ex;
		}
	}

	private void loseUnless(boolean done) {
		if (!done) {
			this.snapshots.lose(this.snapshots.incarnation());
		}
	}

}
