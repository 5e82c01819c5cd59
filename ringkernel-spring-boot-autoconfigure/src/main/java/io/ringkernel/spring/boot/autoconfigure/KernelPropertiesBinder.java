package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.ringkernel.spring.boot.autoconfigure.RingKernelProperties.KernelProperties;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyNameAliases;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Binds the properties of one kernel, whichever way each source spells its id: with the
 * hyphens, without them, or with underscores in a variable. A map would keep an entry for
 * each spelling, and none of them would have all properties.
 */
record KernelPropertiesBinder(Environment environment) {

	/** The properties of a kernel; what no source sets is {@code null} in there. */
	Optional<KernelProperties> bind(String kernelId) {
		if (!isName(kernelId)) {
			return Optional.empty();
		}
		List<ConfigurationPropertySource> sources = sourcesOf(this.environment)
			.map((source) -> withSpellings(source, kernelId))
			.toList();
		ConfigurationPropertyName name = spellings(kernelId, "any").get(0).getParent();
		return Optional.ofNullable(new Binder(sources, new PropertySourcesPlaceholdersResolver(this.environment))
			.bind(name, Bindable.of(KernelProperties.class))
			.orElse(null));
	}

	/** What is set for a kernel. */
	Optional<ConfigurationProperty> find(String kernelId, String setting) {
		return isName(kernelId) ? find(this.environment, spellings(kernelId, setting)) : Optional.empty();
	}

	private static boolean isName(String kernelId) {
		return ConfigurationPropertyName.isValid(PropertyNames.KERNELS + kernelId);
	}

	/** What is set for a property that may have several names. */
	static Optional<ConfigurationProperty> find(Environment environment, List<ConfigurationPropertyName> names) {
		return sourcesOf(environment).flatMap((source) -> names.stream().map(source::getConfigurationProperty))
			.filter(Objects::nonNull)
			.findFirst();
	}

	private static Stream<ConfigurationPropertySource> sourcesOf(Environment environment) {
		return (environment instanceof ConfigurableEnvironment configurable)
				? StreamSupport
					.stream(ConfigurationPropertySources.from(configurable.getPropertySources()).spliterator(), false)
				: Stream.empty();
	}

	/**
	 * Names are equal if they differ in hyphens alone, but not so the variables of them.
	 */
	private static List<ConfigurationPropertyName> spellings(String kernelId, String setting) {
		return Stream.of(kernelId.replace("-", ""), kernelId.replace('-', '.'), "[" + kernelId + "]")
			.map((id) -> ConfigurationPropertyName.of((PropertyNames.KERNELS + id + "." + setting).replace(".[", "[")))
			.toList();
	}

	private static ConfigurationPropertySource withSpellings(ConfigurationPropertySource source, String kernelId) {
		ConfigurationPropertyNameAliases words = new ConfigurationPropertyNameAliases();
		ConfigurationPropertyNameAliases brackets = new ConfigurationPropertyNameAliases();
		for (String setting : PropertyNames.settings()) {
			List<ConfigurationPropertyName> spellings = spellings(kernelId, setting);
			for (int i = 0; !spellings.isEmpty(); i++) {
				words.addAliases(spellings.get(1), spellings.get(0));
				brackets.addAliases(spellings.get(2), spellings.get(0));
				List<ConfigurationPropertyName> next = spellings(kernelId, setting + "[" + i + "]");
				spellings = next.stream().map(source::getConfigurationProperty).anyMatch(Objects::nonNull) ? next
						: List.of();
			}
		}
		return source.withAliases(words).withAliases(brackets);
	}

}
