package io.ringkernel.models.autoconfigure;

import java.util.Map;

import io.ringkernel.models.TreeEnsemble;

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
 * {@link EnableAutoConfiguration Auto-configuration} for {@link ModelsEndpoint}.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelModelsAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(TreeEnsemble.class)
@ConditionalOnAvailableEndpoint(ModelsEndpoint.class)
public final class ModelsEndpointAutoConfiguration {

	ModelsEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	ModelsEndpoint ringKernelModelsEndpoint(Map<String, TreeEnsemble> ensembles,
			RingKernelModelsProperties properties) {
		return new ModelsEndpoint(ensembles, properties);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	ModelsEndpointWebExtension ringKernelModelsEndpointWebExtension(ModelsEndpoint endpoint) {
		return new ModelsEndpointWebExtension(endpoint);
	}

}
