package io.ringkernel.spring.ai.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ringkernel.spring.KernelDefaults;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.embedding.RingKernelEmbeddingModel;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.BatchingStrategy;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.TokenCountBatchingStrategy;
import org.springframework.ai.vectorstore.SpringAIVectorStoreTypes;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernelVectorStore}:
 * the store, and the kernel {@value #KERNEL_ID} that searches it; or several stores by
 * their names, and for each a kernel whose id ends with that name.
 *
 * @since 0.2.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = SpringAIVectorStoreTypes.TYPE, havingValue = RingKernelVectorStore.PROVIDER,
		matchIfMissing = true)
@ConditionalOnMissingBean(RingKernelVectorStore.class)
@EnableConfigurationProperties(RingKernelVectorStoreProperties.class)
@Import({ SingleVectorStoreConfiguration.class, NamedVectorStoresRegistrar.class })
public final class RingKernelVectorStoreAutoConfiguration {

	/** The id of the kernel that searches. */
	public static final String KERNEL_ID = "vector-search";

	/** The most that the image has registers for. */
	private static final int THREADS_PER_WORKER = 512;

	RingKernelVectorStoreAutoConfiguration() {
	}

	static String kernelId(String store) {
		return KERNEL_ID + "-" + store;
	}

	/** A search is as fast as the worker's threads can read. */
	@Bean
	KernelDefaults vectorSearchDefaults(RingKernelVectorStoreProperties properties) {
		Set<String> named = properties.stores()
			.keySet()
			.stream()
			.map(RingKernelVectorStoreAutoConfiguration::kernelId)
			.collect(Collectors.toUnmodifiableSet());
		return (kernelId, defaults) -> (kernelId.equals(KERNEL_ID) || named.contains(kernelId))
				? defaults.toBuilder().threadsPerWorker(THREADS_PER_WORKER).build() : defaults;
	}

	/**
	 * Tokens are counted for models that take so many in a call. Ours takes any number,
	 * and to count them would take longer than to embed them.
	 */
	@Bean
	@ConditionalOnMissingBean
	BatchingStrategy vectorStoreBatchingStrategy(RingKernelVectorStoreProperties properties,
			ObjectProvider<EmbeddingModel> models) {
		if (properties.batchSize() > 0) {
			return (documents) -> batches(documents, properties.batchSize());
		}
		return models.stream().allMatch(RingKernelEmbeddingModel.class::isInstance) ? (documents) -> List.of(documents)
				: new TokenCountBatchingStrategy();
	}

	private static List<List<Document>> batches(List<Document> documents, int size) {
		int most = Math.min(size, documents.size());
		return IntStream.iterate(0, (from) -> from < documents.size(), (from) -> from + most)
			.mapToObj((from) -> documents.subList(from, Math.min(documents.size() - from, most) + from))
			.toList();
	}

}
