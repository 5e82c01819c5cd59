package io.ringkernel.spring.ai.autoconfigure;

import java.util.Map;

import io.ringkernel.spring.ai.RingKernelVectorStore;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link VectorStoreEndpoint}.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelVectorStoreAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RingKernelVectorStore.class)
@ConditionalOnAvailableEndpoint(VectorStoreEndpoint.class)
@EnableConfigurationProperties(VectorStoreEndpointProperties.class)
public final class VectorStoreEndpointAutoConfiguration {

	VectorStoreEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	VectorStoreEndpoint vectorStoreEndpoint(Map<String, RingKernelVectorStore> stores,
			VectorStoreEndpointProperties properties) {
		return new VectorStoreEndpoint(stores, properties.snapshotDirectory());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	VectorStoreEndpointWebExtension vectorStoreEndpointWebExtension(VectorStoreEndpoint endpoint) {
		return new VectorStoreEndpointWebExtension(endpoint);
	}

}
