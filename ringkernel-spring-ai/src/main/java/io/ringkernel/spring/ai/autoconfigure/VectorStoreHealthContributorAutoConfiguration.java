package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.spring.ai.RingKernelVectorStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for
 * {@link VectorStoreHealthIndicator}.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelVectorStoreAutoConfiguration.class,
		before = HealthContributorAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnSingleCandidate(RingKernelVectorStore.class)
@ConditionalOnEnabledHealthIndicator("vectorstore")
public final class VectorStoreHealthContributorAutoConfiguration {

	VectorStoreHealthContributorAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = "vectorStoreHealthIndicator")
	VectorStoreHealthIndicator vectorStoreHealthIndicator(RingKernelVectorStore store) {
		return new VectorStoreHealthIndicator(store);
	}

}
