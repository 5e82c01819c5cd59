package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.InvalidConfigurationException;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Explains an {@link InvalidConfigurationException}, and says where the value is set.
 */
class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

	private final Environment environment;

	InvalidConfigurationFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
		return new FailureAnalysis("'%s' has the value '%s', which %s.%s".formatted(cause.setting(), cause.value(),
				cause.reason(), origin(cause.setting())), cause.remedy(), cause);
	}

	private String origin(String setting) {
		if (this.environment instanceof ConfigurableEnvironment configurable
				&& ConfigurationPropertyName.isValid(setting)) {
			ConfigurationPropertyName name = ConfigurationPropertyName.of(setting);
			for (ConfigurationPropertySource source : ConfigurationPropertySources
				.from(configurable.getPropertySources())) {
				ConfigurationProperty property = source.getConfigurationProperty(name);
				if (property != null) {
					return (property.getOrigin() != null) ? " It is set in %s.".formatted(property.getOrigin()) : "";
				}
			}
		}
		return "";
	}

}
