package io.ringkernel.spring.ai.autoconfigure;

import java.util.Map;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.RingKernelVectorStoreMetrics;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for
 * {@link RingKernelVectorStoreMetrics}.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelVectorStoreAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(RingKernelVectorStore.class)
public final class VectorStoreMetricsAutoConfiguration {

	VectorStoreMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelVectorStoreMetrics ringKernelVectorStoreMetrics(Map<String, RingKernelVectorStore> stores) {
		return new RingKernelVectorStoreMetrics(stores);
	}

}
