package io.ringkernel.sample.stream.kernel;

import io.ringkernel.models.Model;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The model that a node starts with. */
@Configuration(proxyBeanMethods = false)
class FraudModelConfiguration {

	@Bean
	Model firstModel(CardStreamProperties properties) {
		return FraudModel.check(Model.read(properties.model()));
	}

}
