package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;

import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for
 * {@link RingKernelInfoContributor}. It tells versions of the system and the driver, so
 * {@code management.info.ringkernel.enabled} has to switch it on.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBean(RingKernelRuntime.class)
@ConditionalOnEnabledInfoContributor(value = "ringkernel", fallback = InfoContributorFallback.DISABLE)
public final class RingKernelInfoContributorAutoConfiguration {

	RingKernelInfoContributorAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelInfoContributor ringKernelInfoContributor(RingKernelRuntime runtime) {
		return new RingKernelInfoContributor(runtime);
	}

}
