package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for
 * {@link RingKernelHealthContributor} and {@link RingKernelPlatformHealthIndicator}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class, before = HealthContributorAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(RingKernelRuntime.class)
@ConditionalOnEnabledHealthIndicator("ringkernel")
public final class RingKernelHealthContributorAutoConfiguration {

	RingKernelHealthContributorAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = "ringKernelHealthContributor")
	RingKernelHealthContributor ringKernelHealthContributor(RingKernelRuntime runtime) {
		return new RingKernelHealthContributor(runtime);
	}

	@Bean
	@ConditionalOnMissingBean(name = "ringKernelPlatformHealthIndicator")
	RingKernelPlatformHealthIndicator ringKernelPlatformHealthIndicator(RingKernelRuntime runtime) {
		return new RingKernelPlatformHealthIndicator(runtime);
	}

}
