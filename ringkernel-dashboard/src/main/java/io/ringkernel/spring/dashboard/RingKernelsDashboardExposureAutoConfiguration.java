package io.ringkernel.spring.dashboard;

import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that logs why there is no
 * {@link RingKernelsDashboardEndpoint}, and what to set.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelsDashboardAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(RingKernelRuntime.class)
@ConditionalOnMissingBean(RingKernelsDashboardEndpoint.class)
public final class RingKernelsDashboardExposureAutoConfiguration {

	RingKernelsDashboardExposureAutoConfiguration() {
	}

	@Bean
	DashboardExposure ringKernelsDashboardExposure(Environment environment, EndpointAccessResolver access) {
		return new DashboardExposure(environment, access);
	}

}
