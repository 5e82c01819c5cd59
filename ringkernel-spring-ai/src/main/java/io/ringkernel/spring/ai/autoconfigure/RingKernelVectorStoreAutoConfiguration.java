package io.ringkernel.spring.ai.autoconfigure;

import java.util.List;
import java.util.stream.IntStream;

import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.IsolationObstacle;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.VectorSearchHandler;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.BatchingStrategy;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.TokenCountBatchingStrategy;
import org.springframework.ai.vectorstore.SpringAIVectorStoreTypes;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationConvention;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernelVectorStore}:
 * the store, and the kernel {@value #KERNEL_ID} that searches it.
 *
 * @since 0.2.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = SpringAIVectorStoreTypes.TYPE, havingValue = RingKernelVectorStore.PROVIDER,
		matchIfMissing = true)
@ConditionalOnMissingBean(RingKernelVectorStore.class)
@EnableConfigurationProperties(RingKernelVectorStoreProperties.class)
public final class RingKernelVectorStoreAutoConfiguration {

	/** The id of the kernel that searches. */
	public static final String KERNEL_ID = "vector-search";

	private static final String ISOLATION = "ringkernel.isolation";

	/** The most that the image has registers for. */
	private static final int THREADS_PER_WORKER = 512;

	RingKernelVectorStoreAutoConfiguration() {
	}

	@Bean
	@RingKernel(id = KERNEL_ID, image = VectorSearchHandler.IMAGE)
	@Conditional(UnlessInAProcessOfItsOwn.class)
	@ConditionalOnStorage(ElementType.FLOAT32)
	VectorSearchHandler vectorSearchHandler() {
		return new VectorSearchHandler();
	}

	@Bean
	@RingKernel(id = KERNEL_ID, image = VectorSearchHandler.FLOAT16_IMAGE)
	@Conditional(UnlessInAProcessOfItsOwn.class)
	@ConditionalOnStorage(ElementType.FLOAT16)
	VectorSearchHandler float16VectorSearchHandler() {
		return new VectorSearchHandler();
	}

	@Bean
	@RingKernel(id = KERNEL_ID, image = VectorSearchHandler.INT8_IMAGE)
	@Conditional(UnlessInAProcessOfItsOwn.class)
	@ConditionalOnStorage(ElementType.INT8)
	VectorSearchHandler int8VectorSearchHandler() {
		return new VectorSearchHandler();
	}

	/** The store sends the kernel addresses in memory that this process allocates. */
	@Bean
	IsolationObstacle vectorStoreIsolationObstacle() {
		return new IsolationObstacle("a vector store keeps its documents in device memory of the application");
	}

	/** Memory that this process allocates is not that of a kernel host. */
	@Bean
	@RingKernel(id = KERNEL_ID)
	@ConditionalOnProperty(name = ISOLATION, havingValue = "process")
	VectorSearchHandler vectorSearchHandlerOnCpu() {
		return new VectorSearchHandler();
	}

	/** A search is as fast as the worker's threads can read. */
	@Bean
	KernelOptionsCustomizer vectorSearchOptionsCustomizer() {
		return (kernelId,
				options) -> (kernelId.equals(KERNEL_ID)
						&& options.threadsPerWorker() == KernelOptions.THREADS_BY_MESSAGES)
								? options.toBuilder().threadsPerWorker(THREADS_PER_WORKER).build() : options;
	}

	@Bean
	@ConditionalOnMissingBean
	BatchingStrategy vectorStoreBatchingStrategy(RingKernelVectorStoreProperties properties) {
		return (properties.batchSize() > 0) ? (documents) -> batches(documents, properties.batchSize())
				: new TokenCountBatchingStrategy();
	}

	private static List<List<Document>> batches(List<Document> documents, int size) {
		int most = Math.min(size, documents.size());
		return IntStream.iterate(0, (from) -> from < documents.size(), (from) -> from + most)
			.mapToObj((from) -> documents.subList(from, Math.min(documents.size() - from, most) + from))
			.toList();
	}

	@Bean
	RingKernelVectorStore vectorStore(EmbeddingModel embeddingModel,
			Kernel<VectorSearchRequest, VectorSearchResponse> kernel, RingKernelVectorStoreProperties properties,
			BatchingStrategy batchingStrategy, ObjectProvider<ObservationRegistry> observationRegistry,
			ObjectProvider<VectorStoreObservationConvention> observationConvention) {
		return RingKernelVectorStore.builder(embeddingModel, kernel)
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

	static class UnlessInAProcessOfItsOwn extends NoneNestedConditions {

		UnlessInAProcessOfItsOwn() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = ISOLATION, havingValue = "process")
		static class InAProcessOfItsOwn {

		}

	}

}
