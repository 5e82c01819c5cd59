package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.runtime.Replication;
import io.ringkernel.spring.KernelDefaults;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.KernelSettings;
import io.ringkernel.spring.boot.autoconfigure.RingKernelProperties.KernelProperties;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/** Options of a kernel: its own, then the defaults, then its library's; customized. */
final class PropertiesKernelSettings implements KernelSettings {

	private final KernelProperties defaults;

	private final KernelPropertiesBinder kernels;

	private final List<KernelDefaults> libraries;

	private final List<KernelOptionsCustomizer> customizers;

	PropertiesKernelSettings(RingKernelProperties properties, Environment environment, List<KernelDefaults> libraries,
			List<KernelOptionsCustomizer> customizers) {
		this.defaults = properties.defaults();
		this.kernels = new KernelPropertiesBinder(environment);
		this.libraries = libraries;
		this.customizers = customizers;
	}

	@Override
	public KernelOptions optionsOf(String kernelId) {
		return customized(kernelId, configured(kernelId));
	}

	private KernelOptions configured(String kernelId) {
		KernelOptions base = named(PropertyNames.DEFAULTS, () -> this.defaults.over(unconfigured(kernelId)));
		return this.kernels.bind(kernelId).map((own) -> named(prefixOf(kernelId), () -> own.over(base))).orElse(base);
	}

	private KernelOptions customized(String kernelId, KernelOptions configured) {
		KernelOptions options = configured;
		for (KernelOptionsCustomizer customizer : this.customizers) {
			options = customizer.customize(kernelId, options);
		}
		return options;
	}

	private KernelOptions unconfigured(String kernelId) {
		KernelOptions options = KernelOptions.DEFAULTS;
		for (KernelDefaults library : this.libraries) {
			options = library.defaultsOf(kernelId, options);
		}
		return options;
	}

	@Override
	public String imageOf(String kernelId, String declared) {
		String common = (this.defaults.image() != null) ? this.defaults.image() : "";
		return this.kernels.bind(kernelId).map(KernelProperties::image).orElse(declared.isEmpty() ? common : declared);
	}

	/**
	 * What {@link #imageOf(String, String)} answers ahead of time, when the other
	 * properties may not have their values yet. Placeholders are left to the caller.
	 */
	static String imageOf(Environment environment, String kernelId, String declared) {
		ConfigurationPropertyName common = ConfigurationPropertyName.of(PropertyNames.DEFAULTS + "image");
		Optional<ConfigurationProperty> otherwise = declared.isEmpty()
				? KernelPropertiesBinder.find(environment, List.of(common)) : Optional.empty();
		return new KernelPropertiesBinder(environment).find(kernelId, "image")
			.or(() -> otherwise)
			.map((property) -> String.valueOf(property.getValue()))
			.orElse(declared);
	}

	/** What is declared is customized as a property of the kernel would be. */
	@Override
	public Replay replayOf(String kernelId, Replay declared) {
		boolean own = this.kernels.bind(kernelId).map(KernelProperties::replay).isPresent();
		KernelOptions configured = configured(kernelId);
		return customized(kernelId,
				(own || declared == Replay.NEVER) ? configured : configured.toBuilder().replay(declared).build())
			.replay();
	}

	@Override
	public Replication replicationOf(String kernelId) {
		Replication base = named(PropertyNames.DEFAULTS, () -> this.defaults.over(Replication.NONE));
		return this.kernels.bind(kernelId).map((own) -> named(prefixOf(kernelId), () -> own.over(base))).orElse(base);
	}

	@Override
	public String routingOf(String kernelId) {
		String common = (this.defaults.routing() != null) ? this.defaults.routing() : LEAST_LOADED;
		return this.kernels.bind(kernelId).map(KernelProperties::routing).orElse(common);
	}

	@Override
	public List<String> consumersOf(String kernelId) {
		List<String> common = (this.defaults.consumers() != null) ? this.defaults.consumers() : List.of();
		return this.kernels.bind(kernelId).map(KernelProperties::consumers).orElse(common);
	}

	/** Has a refused setting be called by its full name. */
	private static <T> T named(String prefix, Supplier<T> settings) {
		try {
			return settings.get();
		}
		catch (InvalidConfigurationException ex) {
			throw new InvalidConfigurationException(prefix + ex.setting(), ex.value(), ex.reason(), ex.remedy());
		}
	}

	/** Under the defaults, unless the kernel has a setting of its own. */
	@Override
	public String nameOf(String kernelId, String setting) {
		boolean own = !PropertyNames.settings().contains(setting) || this.kernels.find(kernelId, setting).isPresent()
				|| this.kernels.find(kernelId, setting + "[0]").isPresent();
		return (own ? prefixOf(kernelId) : PropertyNames.DEFAULTS) + setting;
	}

	private static String prefixOf(String kernelId) {
		return PropertyNames.KERNELS + kernelId + ".";
	}

}
