package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;
import java.util.Optional;

import io.ringkernel.exception.InvalidConfigurationException;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Explains an {@link InvalidConfigurationException}: the value as written, and where. */
class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

	private final Environment environment;

	InvalidConfigurationFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
		Optional<ConfigurationProperty> property = find(cause.setting());
		String value = property.map((written) -> String.valueOf(written.getValue()))
			.filter((written) -> !written.contains("${"))
			.orElse(cause.value());
		String origin = property.map(ConfigurationProperty::getOrigin).map(" It is set in %s."::formatted).orElse("");
		return new FailureAnalysis(
				"'%s' has the value '%s', which %s.%s".formatted(cause.setting(), value, cause.reason(), origin),
				cause.remedy(), cause);
	}

	private Optional<ConfigurationProperty> find(String setting) {
		String[] elements = setting.split("\\.", -1);
		if (setting.startsWith(PropertyNames.KERNELS) && elements.length == 4) {
			return new KernelPropertiesBinder(this.environment).find(elements[2], elements[3]);
		}
		return ConfigurationPropertyName.isValid(setting)
				? KernelPropertiesBinder.find(this.environment, List.of(ConfigurationPropertyName.of(setting)))
				: Optional.empty();
	}

}
