package io.ringkernel.spring.ai.autoconfigure;

import java.util.Objects;

import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;

import org.springframework.ai.embedding.BatchingStrategy;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationConvention;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Creates the beans of vector stores by their properties.
 */
final class VectorStoreFactory {

	private VectorStoreFactory() {
	}

	static RingKernelVectorStore named(String name, Kernel<VectorSearchRequest, VectorSearchResponse> kernel,
			RingKernelVectorStoreProperties properties, BatchingStrategy batchingStrategy,
			ObjectProvider<ObservationRegistry> observationRegistry,
			ObjectProvider<VectorStoreObservationConvention> observationConvention, BeanFactory beanFactory) {
		RingKernelVectorStoreProperties.Store store = Objects.requireNonNull(properties.stores().get(name), name);
		if (store.index() != null) {
			checkIndex(RingKernelVectorStoreProperties.PREFIX + ".stores." + name, store.index());
		}
		String model = store.embeddingModel();
		EmbeddingModel embeddingModel = (model != null) ? beanFactory.getBean(model, EmbeddingModel.class)
				: beanFactory.getBean(EmbeddingModel.class);
		return create(embeddingModel, kernel, properties.of(name), batchingStrategy, observationRegistry,
				observationConvention);
	}

	static RingKernelVectorStore create(EmbeddingModel embeddingModel,
			Kernel<VectorSearchRequest, VectorSearchResponse> kernel, RingKernelVectorStoreProperties properties,
			BatchingStrategy batchingStrategy, ObjectProvider<ObservationRegistry> observationRegistry,
			ObjectProvider<VectorStoreObservationConvention> observationConvention) {
		checkIndex(RingKernelVectorStoreProperties.PREFIX, properties.index());
		return RingKernelVectorStore.builder(embeddingModel, kernel)
			.index(properties.index())
			.metric(properties.metric())
			.elementType(properties.storage())
			.dimensions(properties.dimensions())
			.initialCapacity(properties.initialCapacity())
			.directory(properties.directory())
			.modelName(properties.modelName())
			.batchingStrategy(batchingStrategy)
			.observationRegistry(observationRegistry.getIfUnique(() -> ObservationRegistry.NOOP))
			.customObservationConvention(observationConvention.getIfAvailable())
			.build();
	}

	private static void checkIndex(String prefix, IndexKind index) {
		if (index == IndexKind.GRAPH && !RowGraph.isAvailable()) {
			throw new InvalidConfigurationPropertyValueException(prefix + ".index", index,
					"It needs JVector, which is not on the class path. " + RowGraph.REMEDY);
		}
	}

}
