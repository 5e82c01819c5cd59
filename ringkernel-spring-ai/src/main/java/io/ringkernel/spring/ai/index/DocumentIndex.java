package io.ringkernel.spring.ai.index;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.ringkernel.exception.RingKernelException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.filter.MetadataJson;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.DocumentSearch.Nearest;
import io.ringkernel.spring.ai.index.Snapshots.Snapshot;
import io.ringkernel.spring.ai.search.DeviceFullException;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StorageException;
import io.ringkernel.spring.ai.storage.StorageSnapshot;
import io.ringkernel.spring.ai.storage.StoredDocument;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Documents that are kept in a storage and searched by a kernel. The storage is the
 * truth, and the index of the kernel a copy of it: whatever happens to the kernel, the
 * next call loads the index again.
 * <p>
 * Changes are made one after another. Searches run beside them, and each sees the
 * documents of one moment.
 *
 * @since 0.2.0
 */
public final class DocumentIndex implements AutoCloseable {

	private final DocumentStorage storage;

	private final SearchKernel kernel;

	private final IndexMemory memory;

	private final SimilarityMetric metric;

	private final ElementType elementType;

	private final int dimensions;

	private final int initialCapacity;

	private final RowGraph graph;

	private final MetadataColumns columns = new MetadataColumns();

	private final Snapshots snapshots = new Snapshots();

	private final DocumentListing listing;

	private final DocumentChanges changes;

	private final ChangeLock changeLock = new ChangeLock();

	private final DocumentSearch search;

	private final SearchTimes times = new SearchTimes();

	/** Why the index could not be loaded, as long as that lasts. */
	private volatile @Nullable String problem;

	/**
	 * Creates an index, which is loaded at its first use.
	 * @param storage what is searched; closed with the index
	 * @param kernel searches, for this index alone; of the image for the element type
	 * @param metric how vectors are compared
	 * @param elementType as what the kernel keeps their elements
	 * @param dimensions the elements of each vector
	 * @param initialCapacity for how many documents a loaded index has memory
	 * @param graph without rows; closed with the index
	 */
	public DocumentIndex(DocumentStorage storage, Kernel<VectorSearchRequest, VectorSearchResponse> kernel,
			SimilarityMetric metric, ElementType elementType, int dimensions, int initialCapacity, RowGraph graph) {
		this.storage = storage;
		this.kernel = new SearchKernel(kernel, elementType);
		this.memory = new IndexMemory(this.kernel, dimensions, elementType, storage::size);
		this.metric = metric;
		this.elementType = elementType;
		this.dimensions = dimensions;
		this.initialCapacity = initialCapacity;
		this.graph = graph;
		this.listing = new DocumentListing(storage, this.kernel, this.columns);
		AddedVectors added = new AddedVectors(storage, metric);
		this.search = new DocumentSearch(storage, this.kernel, this.columns, this.listing, metric, elementType, added,
				new GraphSearch(graph, storage, this.kernel, this.columns, this.listing, added));
		this.changes = new DocumentChanges(storage, this.kernel, this.memory, this.columns, this.snapshots,
				this::batches, graph);
	}

	/**
	 * How many documents there are.
	 * @return a count
	 */
	public int size() {
		return this.storage.size();
	}

	/**
	 * What searches have taken.
	 * @return counts that go on
	 */
	public SearchTimes times() {
		return this.times;
	}

	/**
	 * The graph beside the kernel.
	 * @return it, to be looked at
	 */
	public RowGraph graph() {
		return this.graph;
	}

	/**
	 * Why the documents could not be loaded into the kernel when that was tried last, or
	 * the last change could not be written.
	 * @return the problem and its remedy; {@code null} if there is none
	 */
	public @Nullable String problem() {
		String loading = this.problem;
		return (loading != null) ? loading : this.changes.problem();
	}

	/**
	 * Loads all documents into the kernel, unless it has them.
	 * @throws RingKernelException if the kernel does not take them
	 */
	public void load() {
		this.changeLock.run(this::loadIfLost);
	}

	/**
	 * Adds documents, in place of those with the same ids. They are stored and can be
	 * found when this method returns, all of them. If it throws, none of them are.
	 * @param documents the documents; no id twice
	 * @throws IllegalArgumentException if an id or metadata cannot be stored
	 * @throws DeviceFullException if the device has no memory for them
	 * @throws RingKernelException if the kernel does not take them
	 * @throws StorageException if they cannot be written
	 */
	public void add(List<IndexedDocument> documents) {
		if (documents.isEmpty()) {
			return;
		}
		this.changeLock.run(() -> {
			loadIfLost();
			this.changes.add(documents);
		});
	}

	private StageBatches batches() {
		return new StageBatches(this.kernel, this.memory, this.snapshots.incarnation(), this.snapshots.nextEpoch(),
				this.metric, this.dimensions);
	}

	/**
	 * Removes documents. Unknown ids are ignored.
	 * @param ids the ids of the documents
	 */
	public void remove(Collection<String> ids) {
		this.changeLock.run(() -> {
			loadIfLost();
			this.changes.remove(ids);
		});
	}

	/**
	 * Removes all documents that match.
	 * @param filter which ones
	 * @throws IllegalArgumentException if an operand is missing or of the wrong kind
	 */
	public void remove(Filter.Expression filter) {
		this.changeLock.run(() -> this.changes.remove(read((snapshot) -> this.listing.ids(snapshot, filter))));
	}

	/**
	 * Removes all documents at once.
	 */
	public void removeAll() {
		this.changeLock.run(this.changes::removeAll);
	}

	/**
	 * Changes the metadata of documents, all or none. Their texts and vectors stay, which
	 * have to be read; apart from that, fails as {@link #add} does.
	 * @param ids the ids of the documents; unknown ones are ignored
	 * @param change makes the new metadata of a document of a copy of those it has
	 * @return how many documents there are of these
	 */
	public int updateMetadata(Collection<String> ids, UnaryOperator<Map<String, Object>> change) {
		return this.changeLock.get(() -> {
			loadIfLost();
			List<IndexedDocument> changed = stored(ids).map((document) -> changed(document, change)).toList();
			if (!changed.isEmpty()) {
				this.changes.add(changed);
			}
			return changed.size();
		});
	}

	private IndexedDocument changed(StoredDocument document, UnaryOperator<Map<String, Object>> change) {
		float[] vector = Objects.requireNonNull(this.storage.vector(document.id()));
		return new IndexedDocument(document.id(), document.text(), change.apply(MetadataJson.read(document.metadata())),
				vector);
	}

	/** In the order of their ids, each once. */
	private Stream<StoredDocument> stored(Collection<String> ids) {
		return ids.stream()
			.distinct()
			.map(this.storage::rowOf)
			.filter(Objects::nonNull)
			.map(this.storage::document)
			.filter(Objects::nonNull)
			.map(StoredDocument.class::cast);
	}

	/**
	 * Reads documents, after changes that are being made.
	 * @param ids the ids of the documents
	 * @return those that there are, in the order of their ids
	 */
	public List<Document> get(Collection<String> ids) {
		return this.changeLock.get(() -> stored(ids).map(DocumentListing::content).toList());
	}

	/**
	 * Lists documents of one moment in the order of their rows.
	 * @param filter which ones, or {@code null} for all
	 * @param after the last row of the page before; -1 for the first page
	 * @param limit the most documents; at least 1
	 * @return the documents
	 * @throws IllegalArgumentException if an operand is missing or of the wrong kind
	 */
	public ContentPage list(Filter.@Nullable Expression filter, int after, int limit) {
		return read((snapshot) -> this.listing.page(snapshot, filter, after, limit));
	}

	/**
	 * Counts the documents that match.
	 * @param filter which ones
	 * @return a count
	 * @throws IllegalArgumentException if an operand is missing or of the wrong kind
	 */
	public int count(Filter.Expression filter) {
		return read((snapshot) -> this.listing.count(snapshot, filter));
	}

	/**
	 * Finds the documents that are nearest to a vector. Of documents with the same score
	 * that with the smaller row is first, also after a restart.
	 * @param vector the vector
	 * @param limit the most documents to find; at least 0
	 * @param minScore the lowest score; {@link Double#NEGATIVE_INFINITY} for any
	 * @param filter which documents to consider, or {@code null} for all
	 * @return the documents, the nearest first, with score and distance
	 * @throws RingKernelException if the kernel does not answer
	 * @throws IllegalArgumentException if an operand is missing or of the wrong kind
	 */
	public List<Document> search(float[] vector, int limit, double minScore, Filter.@Nullable Expression filter) {
		float[] prepared = this.metric.prepare(vector);
		if (limit <= 0) {
			return List.of();
		}
		long began = System.nanoTime();
		Nearest nearest = read((snapshot) -> this.search.nearest(snapshot, prepared, limit, minScore, filter));
		long bytes = (long) size() * this.dimensions * this.elementType.elementBytes();
		this.times.record(System.nanoTime() - began, nearest.isExact() ? bytes : 0);
		return nearest.matches();
	}

	/** Reads one moment, and loads the index first if the kernel has lost it. */
	private <R> R read(Function<Snapshot, @Nullable R> reader) {
		return Snapshots.untilKept(this.kernel.id(), () -> {
			R result = this.snapshots.read(reader);
			if (result == null) {
				load();
			}
			return result;
		});
	}

	private void loadIfLost() {
		if (this.snapshots.isLoaded()) {
			return;
		}
		try {
			Snapshots.untilKept(this.kernel.id(), this::loadAll);
			this.problem = null;
		}
		catch (RuntimeException | Error ex) {
			this.problem = String.valueOf(ex.getMessage());
			throw ex;
		}
	}

	private @Nullable Snapshots loadAll() {
		long incarnation = this.snapshots.renew();
		boolean done = this.kernel
			.change(VectorSearchRequest.reset(incarnation, this.metric, this.elementType, this.dimensions));
		this.memory.renew();
		if (done) {
			// A search that compiles with them now is told that the kernel has lost its
			// index.
			this.columns.clear();
		}
		done &= this.memory.reserve(incarnation, this.initialCapacity);
		done &= new DocumentLoad(this.storage, this.columns, this::batches, this.graph, this.snapshots.nextVersion())
			.run();
		if (!done) {
			return null;
		}
		this.snapshots.load();
		return this.snapshots;
	}

	/**
	 * Reads the vector of a document, after changes that are being made.
	 * @param id the id of the document
	 * @return the vector as it was added, if there is such a document
	 * @throws StorageException if it cannot be read
	 */
	public Optional<float[]> vector(String id) {
		return this.changeLock.get(() -> Optional.ofNullable(this.storage.vector(id)));
	}

	/**
	 * Reads all that is stored, of one moment, while it is changed, without the kernel.
	 * @param reader reads it
	 * @return what the reader returns
	 * @throws StorageException if it cannot be read
	 */
	public int readStored(ToIntFunction<StorageSnapshot> reader) {
		try (StorageSnapshot held = this.changeLock.get(() -> this.storage.snapshot(this.snapshots.hold()::close))) {
			return reader.applyAsInt(held);
		}
	}

	/**
	 * Closes the storage, after changes that are being made, and gives back the memory of
	 * the device. Searches, changes and loads throw an {@link IllegalStateException} from
	 * then on.
	 */
	@Override
	public void close() {
		this.changeLock.close(() -> {
			// A search without an index loads it, which fails.
			this.snapshots.lose(this.snapshots.incarnation());
			try (this.storage; this.graph) {
				this.memory.close();
			}
		});
	}

}
