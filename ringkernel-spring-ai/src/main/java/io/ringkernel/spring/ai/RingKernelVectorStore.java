package io.ringkernel.spring.ai;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.RingKernelLifecycle;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.DocumentIndex;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StorageException;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.ai.vectorstore.AbstractVectorStoreBuilder;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.observation.AbstractObservationVectorStore;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationContext;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * A {@link VectorStore} that searches exactly, unless a {@linkplain IndexKind#GRAPH
 * graph} is asked for: a ring kernel compares a query with every vector, and evaluates
 * the filter expression meanwhile.
 * <p>
 * Safe for use by any number of threads. A search sees the documents of one moment: all
 * of an {@code add} or nothing of it. Documents with the same score are in an order that
 * does not change. An {@code add} replaces documents with the same ids. What it returns
 * from is on the disk, if there is a directory for it.
 * <p>
 * As a bean it loads stored documents when the application starts, after the kernels.
 * Otherwise its first use loads them.
 *
 * @since 0.2.0
 */
public class RingKernelVectorStore extends AbstractObservationVectorStore implements SmartLifecycle, DisposableBean {

	/** The name of this store in observations. */
	public static final String PROVIDER = "ringkernel";

	private final DocumentIndex index;

	private final StoredDocuments documents;

	private final StoreObservations observations;

	private final VectorCheck check;

	private final Kernel<VectorSearchRequest, VectorSearchResponse> kernel;

	private final SimilarityMetric metric;

	private final ElementType elementType;

	private final int dimensions;

	private volatile boolean running;

	/**
	 * Creates the store.
	 * @param builder how it is set up
	 */
	protected RingKernelVectorStore(Builder builder) {
		super(builder);
		this.kernel = builder.kernel;
		this.metric = builder.metric;
		this.elementType = builder.elementType;
		this.dimensions = (builder.dimensions > 0) ? builder.dimensions : this.embeddingModel.dimensions();
		RowGraph graph = RowGraph.of(builder.index, this.metric, this.dimensions);
		this.index = new DocumentIndex(builder.openStorage(this.dimensions), this.kernel, this.metric, this.elementType,
				this.dimensions, builder.initialCapacity, graph);
		this.check = new VectorCheck(this.dimensions, this.metric, this.elementType);
		this.observations = new StoreObservations(builder.getObservationRegistry(),
				builder.getCustomObservationConvention(), this.kernel.id(), this.dimensions, this.metric);
		this.documents = new StoredDocuments(this.index, this.observations);
	}

	/**
	 * Begins a store.
	 * @param embeddingModel the model that makes vectors of text
	 * @param kernel runs a {@code VectorSearchHandler}, for this store alone
	 * @return a builder
	 * @throws IllegalArgumentException if the kernel has several replicas
	 */
	public static Builder builder(EmbeddingModel embeddingModel,
			Kernel<VectorSearchRequest, VectorSearchResponse> kernel) {
		return new Builder(embeddingModel, kernel);
	}

	/**
	 * How many documents are stored.
	 * @return a count
	 */
	public int size() {
		return this.index.size();
	}

	/**
	 * The documents, apart from what they are similar to.
	 * @return reads, lists and changes them
	 */
	public StoredDocuments documents() {
		return this.documents;
	}

	/**
	 * Copies what is stored at one moment to a directory, while searches and changes go
	 * on. A store that has the copy as its directory has the same documents.
	 * @param directory the directory, which is not there yet, or empty
	 * @return how many documents there are
	 * @throws StorageException if it holds files, or cannot be written
	 */
	public int snapshot(Path directory) {
		return this.index.readStored((stored) -> stored.copyTo(directory));
	}

	/**
	 * The kernel that searches.
	 * @return the kernel, which serves this store alone
	 */
	public Kernel<VectorSearchRequest, VectorSearchResponse> kernel() {
		return this.kernel;
	}

	/**
	 * What the store holds, and what its searches take.
	 * @return the status now
	 */
	public VectorStoreStatus status() {
		return VectorStoreStatus.of(this.index, this.dimensions, this.metric, this.elementType);
	}

	/**
	 * Reads the vector of a document, after changes that are being made.
	 * @param id the id of the document
	 * @return the vector as it was embedded, if there is such a document
	 */
	public Optional<float[]> embedding(String id) {
		return this.index.vector(id);
	}

	/**
	 * Embeds documents and stores them, all or none. Of several with the same id, the
	 * last one is stored.
	 * @param documents the documents
	 */
	@Override
	public void doAdd(List<Document> documents) {
		if (documents.isEmpty()) {
			return;
		}
		List<Document> distinct = DocumentMapping.distinct(documents);
		List<float[]> vectors = this.embeddingModel.embed(distinct, EmbeddingOptions.builder().build(),
				this.batchingStrategy);
		vectors.forEach(this.check::embedded);
		this.index.add(DocumentMapping.indexed(distinct, vectors));
	}

	/**
	 * Stores documents with their vectors, all or none, without the embedding model. Of
	 * several with the same id, the last one is stored. Observed as an addition.
	 * @param documents the documents
	 * @param embeddings the vector of each, as the embedding model of the store makes it
	 * @throws IllegalArgumentException if their numbers differ, a document has media, or
	 * a vector has other dimensions or elements that are no numbers
	 */
	public void add(List<Document> documents, List<float[]> embeddings) {
		if (documents.size() != embeddings.size()) {
			throw new IllegalArgumentException("There are %d documents and %d vectors. Pass one vector for each."
				.formatted(documents.size(), embeddings.size()));
		}
		for (int i = 0; i < documents.size(); i++) {
			this.check.given("The vector of the document '%s'".formatted(documents.get(i).getId()), embeddings.get(i));
		}
		this.observations.observe(VectorStoreObservationContext.Operation.ADD,
				() -> this.index.add(DocumentMapping.indexed(documents, embeddings)));
	}

	@Override
	public void doDelete(List<String> ids) {
		this.index.remove(ids);
	}

	@Override
	protected void doDelete(Filter.Expression filterExpression) {
		this.index.remove(filterExpression);
	}

	/**
	 * Finds the documents that are nearest to the query. A threshold of
	 * {@link SearchRequest#SIMILARITY_THRESHOLD_ACCEPT_ALL} accepts scores below 0 too.
	 * @param request what to look for
	 * @return them, the nearest first, with their scores and {@code distance} as metadata
	 */
	@Override
	public List<Document> doSimilaritySearch(SearchRequest request) {
		float[] query = this.check.embedded(this.embeddingModel.embed(request.getQuery()));
		return DocumentMapping.search(this.index, query, request);
	}

	/**
	 * Finds the documents that are nearest to a vector. Observed as a search for a text.
	 * @param vector what to look for, as the embedding model makes it
	 * @param request how many documents to find, and which; its query is not embedded
	 * @return the documents, as {@link #similaritySearch(SearchRequest)} returns them
	 * @throws IllegalArgumentException if the vector has other dimensions than the store,
	 * or elements that are no numbers
	 */
	public List<Document> similaritySearch(float[] vector, SearchRequest request) {
		this.check.given("The vector to search for", vector);
		return this.observations.observe(request, () -> DocumentMapping.search(this.index, vector, request));
	}

	@Override
	public VectorStoreObservationContext.Builder createObservationContextBuilder(String operationName) {
		return this.observations.context(operationName);
	}

	/**
	 * The {@link Kernel} that searches.
	 */
	@Override
	@SuppressWarnings("unchecked")
	public <T> Optional<T> getNativeClient() {
		return Optional.of((T) this.kernel);
	}

	@Override
	public void start() {
		this.index.load();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		// After the kernels, and before what serves requests.
		return RingKernelLifecycle.PHASE + 1;
	}

	@Override
	public void destroy() {
		this.index.close();
	}

	/**
	 * Sets a store up.
	 *
	 * @since 0.2.0
	 */
	public static final class Builder extends AbstractVectorStoreBuilder<Builder> {

		private final Kernel<VectorSearchRequest, VectorSearchResponse> kernel;

		private SimilarityMetric metric = SimilarityMetric.COSINE;

		private ElementType elementType = ElementType.FLOAT32;

		private IndexKind index = IndexKind.EXACT;

		private int dimensions;

		private int initialCapacity;

		private @Nullable Path directory;

		private @Nullable String modelName;

		private Builder(EmbeddingModel embeddingModel, Kernel<VectorSearchRequest, VectorSearchResponse> kernel) {
			super(embeddingModel);
			if (kernel.replicas().size() > 1) {
				throw new IllegalArgumentException(
						"The kernel '%s' has %d replicas, each of which would hold a part of the documents. Set ringkernel.kernels.%s.replicas to 1."
							.formatted(kernel.id(), kernel.replicas().size(), kernel.id()));
			}
			this.kernel = kernel;
		}

		/**
		 * Sets how vectors are compared. The cosine is the default.
		 * @param similarityMetric the metric
		 * @return this builder
		 */
		public Builder metric(SimilarityMetric similarityMetric) {
			this.metric = similarityMetric;
			return this;
		}

		/**
		 * Sets as what the kernel keeps the elements of vectors. The disk keeps them as
		 * they are.
		 * @param type the type; {@link ElementType#FLOAT32} by default
		 * @return this builder
		 */
		public Builder elementType(ElementType type) {
			this.elementType = type;
			return this;
		}

		/**
		 * Sets how the nearest documents are found. A graph needs JVector.
		 * @param kind the kind; {@link IndexKind#EXACT} by default
		 * @return this builder
		 */
		public Builder index(IndexKind kind) {
			this.index = kind;
			return this;
		}

		/**
		 * Sets the elements of each vector. By default, the embedding model is asked.
		 * @param elements the elements; 0 to ask the model
		 * @return this builder
		 */
		public Builder dimensions(int elements) {
			this.dimensions = elements;
			return this;
		}

		/**
		 * Sets for how many documents the device has memory before they are added. If it
		 * has too little, the store does not load. Further documents take more as they
		 * come.
		 * @param documents a count; none by default
		 * @return this builder
		 */
		public Builder initialCapacity(int documents) {
			this.initialCapacity = documents;
			return this;
		}

		/**
		 * Sets where documents and vectors outlive the store. By default they do not.
		 * @param path the directory, which is created if it is not there, or {@code null}
		 * @return this builder
		 */
		public Builder directory(@Nullable Path path) {
			this.directory = path;
			return this;
		}

		/**
		 * Sets the name of the embedding model, which the directory notes. By default its
		 * options name it, or else its class does.
		 * @param name the name; {@code null} or blank for the default
		 * @return this builder
		 */
		public Builder modelName(@Nullable String name) {
			this.modelName = (name != null && !name.isBlank()) ? name : null;
			return this;
		}

		private DocumentStorage openStorage(int elements) {
			return (this.directory == null) ? DocumentStorage.temporary(elements) : DocumentStorage.open(this.directory,
					elements,
					Objects.requireNonNullElseGet(this.modelName, () -> EmbeddingModelName.of(this.embeddingModel)));
		}

		/**
		 * Opens the store.
		 * @return the store
		 * @throws StorageException if what is stored cannot be read, has other
		 * dimensions, or is of another model
		 * @throws IllegalStateException if the library for a graph is missing
		 */
		@Override
		public RingKernelVectorStore build() {
			return new RingKernelVectorStore(this);
		}

	}

}
