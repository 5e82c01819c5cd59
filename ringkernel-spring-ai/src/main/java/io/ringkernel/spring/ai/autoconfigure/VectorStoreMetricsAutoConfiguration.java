package io.ringkernel.spring.ai.autoconfigure;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.RingKernelVectorStoreMetrics;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for
 * {@link RingKernelVectorStoreMetrics}.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelVectorStoreAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnSingleCandidate(RingKernelVectorStore.class)
public final class VectorStoreMetricsAutoConfiguration {

	VectorStoreMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelVectorStoreMetrics ringKernelVectorStoreMetrics(RingKernelVectorStore store) {
		return new RingKernelVectorStoreMetrics(store);
	}

}
