package io.ringkernel.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.observation.conventions.VectorStoreSimilarityMetric;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.observation.DefaultVectorStoreObservationConvention;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationContext;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationConvention;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationDocumentation;

/**
 * Observes what a store does as Spring AI observes the operations that every store has,
 * and by its names if there is no convention.
 */
record StoreObservations(ObservationRegistry registry, @Nullable VectorStoreObservationConvention convention,
		String collection, int dimensions, SimilarityMetric metric) {

	private static final VectorStoreObservationConvention DEFAULT_CONVENTION = new DefaultVectorStoreObservationConvention();

	VectorStoreObservationContext.Builder context(String operation) {
		return VectorStoreObservationContext.builder(RingKernelVectorStore.PROVIDER, operation)
			.dimensions(this.dimensions)
			.collectionName(this.collection)
			.similarityMetric(switch (this.metric) {
				case COSINE -> VectorStoreSimilarityMetric.COSINE.value();
				case DOT_PRODUCT -> VectorStoreSimilarityMetric.DOT.value();
				case EUCLIDEAN -> VectorStoreSimilarityMetric.EUCLIDEAN.value();
			});
	}

	/** Observes an operation that has neither a request nor a response. */
	void observe(VectorStoreObservationContext.Operation operation, Runnable action) {
		observe(context(operation.value()).build(), (context) -> action.run());
	}

	List<Document> observe(SearchRequest request, Supplier<List<Document>> search) {
		VectorStoreObservationContext observed = context(VectorStoreObservationContext.Operation.QUERY.value())
			.queryRequest(request)
			.build();
		observe(observed, (context) -> context.setQueryResponse(search.get()));
		return Objects.requireNonNull(observed.getQueryResponse());
	}

	private void observe(VectorStoreObservationContext context, Consumer<VectorStoreObservationContext> action) {
		VectorStoreObservationDocumentation.AI_VECTOR_STORE
			.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.registry)
			.observe(() -> action.accept(context));
	}

}
