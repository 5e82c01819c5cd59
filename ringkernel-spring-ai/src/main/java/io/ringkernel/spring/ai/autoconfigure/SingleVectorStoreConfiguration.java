package io.ringkernel.spring.ai.autoconfigure;

import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.backend.Replay;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.search.VectorSearchHandler;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;

import org.springframework.ai.embedding.BatchingStrategy;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationConvention;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * One store, unless several are named. A request that a lost device may have begun is
 * sent to its successor as well: that holds no incarnation of the index, or one that
 * takes a change twice.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnStoresCondition.class)
class SingleVectorStoreConfiguration {

	@Bean
	@RingKernel(id = RingKernelVectorStoreAutoConfiguration.KERNEL_ID, image = VectorSearchHandler.IMAGE,
			replay = Replay.IDEMPOTENT)
	VectorSearchHandler vectorSearchHandler() {
		return new VectorSearchHandler();
	}

	@Bean
	RingKernelVectorStore vectorStore(EmbeddingModel embeddingModel,
			Kernel<VectorSearchRequest, VectorSearchResponse> kernel, RingKernelVectorStoreProperties properties,
			BatchingStrategy batchingStrategy, ObjectProvider<ObservationRegistry> observationRegistry,
			ObjectProvider<VectorStoreObservationConvention> observationConvention) {
		return VectorStoreFactory.create(embeddingModel, kernel, properties, batchingStrategy, observationRegistry,
				observationConvention);
	}

}
