package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernelsEndpoint}.
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RingKernelRuntime.class)
@ConditionalOnAvailableEndpoint(RingKernelsEndpoint.class)
public final class RingKernelsEndpointAutoConfiguration {

	RingKernelsEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelsEndpoint ringKernelsEndpoint(RingKernelRuntime runtime) {
		return new RingKernelsEndpoint(runtime);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	RingKernelsEndpointWebExtension ringKernelsEndpointWebExtension(RingKernelsEndpoint endpoint) {
		return new RingKernelsEndpointWebExtension(endpoint);
	}

}
