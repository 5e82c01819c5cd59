package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.spring.ai.RingKernelVectorStore;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
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
@ConditionalOnBean(RingKernelVectorStore.class)
@ConditionalOnEnabledHealthIndicator("vectorstore")
public final class VectorStoreHealthContributorAutoConfiguration
		extends CompositeHealthContributorConfiguration<VectorStoreHealthIndicator, RingKernelVectorStore> {

	VectorStoreHealthContributorAutoConfiguration() {
		super(VectorStoreHealthIndicator::new);
	}

	/** One indicator, or one for each of several stores, by the name of its bean. */
	@Bean
	@ConditionalOnMissingBean(name = { "vectorStoreHealthIndicator", "vectorStoreHealthContributor" })
	HealthContributor vectorStoreHealthContributor(ConfigurableListableBeanFactory beanFactory) {
		return createContributor(beanFactory, RingKernelVectorStore.class);
	}

}
