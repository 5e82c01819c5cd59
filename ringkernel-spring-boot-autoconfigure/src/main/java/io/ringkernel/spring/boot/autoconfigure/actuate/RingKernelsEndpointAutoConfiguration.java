package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernelsEndpoint}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RingKernelRuntime.class)
@ConditionalOnAvailableEndpoint(RingKernelsEndpoint.class)
@EnableConfigurationProperties(RingKernelsEndpointProperties.class)
public final class RingKernelsEndpointAutoConfiguration {

	RingKernelsEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelsEndpoint ringKernelsEndpoint(RingKernelRuntime runtime, RingKernelsEndpointProperties properties) {
		return new RingKernelsEndpoint(runtime, properties.showValues());
	}

	@Bean
	@ConditionalOnMissingBean({ RingKernelsEndpointWebExtension.class, ReactiveRingKernelsEndpointWebExtension.class })
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	RingKernelsEndpointWebExtension ringKernelsEndpointWebExtension(RingKernelsEndpoint endpoint,
			RingKernelsEndpointProperties properties) {
		return new RingKernelsEndpointWebExtension(endpoint, properties.showValues(), properties.roles());
	}

	/** Nested classes are processed before the bean methods around them. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass({ Mono.class, ServerWebExchangeContextFilter.class })
	@ConditionalOnAvailableEndpoint(endpoint = RingKernelsEndpoint.class, exposure = EndpointExposure.WEB)
	static class ReactiveWebExtension {

		@Bean
		@ConditionalOnMissingBean({ RingKernelsEndpointWebExtension.class,
				ReactiveRingKernelsEndpointWebExtension.class })
		ReactiveRingKernelsEndpointWebExtension ringKernelsReactiveEndpointWebExtension(RingKernelsEndpoint endpoint,
				RingKernelsEndpointProperties properties) {
			return new ReactiveRingKernelsEndpointWebExtension(
					new RingKernelsEndpointWebExtension(endpoint, properties.showValues(), properties.roles()));
		}

	}

}
