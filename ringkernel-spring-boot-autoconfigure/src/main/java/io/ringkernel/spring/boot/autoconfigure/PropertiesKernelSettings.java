package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.KernelSettings;
import io.ringkernel.spring.boot.autoconfigure.RingKernelProperties.KernelProperties;
import org.jspecify.annotations.Nullable;

/**
 * Reads a kernel's options from its own properties, then the defaults, and has them
 * customized.
 */
final class PropertiesKernelSettings implements KernelSettings {

	private final RingKernelProperties properties;

	private final List<KernelOptionsCustomizer> customizers;

	PropertiesKernelSettings(RingKernelProperties properties, List<KernelOptionsCustomizer> customizers) {
		this.properties = properties;
		this.customizers = customizers;
	}

	@Override
	public KernelOptions optionsOf(String kernelId) {
		KernelOptions defaults = over("ringkernel.defaults.", this.properties.defaults(), KernelOptions.DEFAULTS);
		KernelProperties own = ownOf(kernelId);
		KernelOptions options = (own != null) ? over(prefixOf(kernelId), own, defaults) : defaults;
		for (KernelOptionsCustomizer customizer : this.customizers) {
			options = customizer.customize(kernelId, options);
		}
		return options;
	}

	private static KernelOptions over(String prefix, KernelProperties properties, KernelOptions base) {
		try {
			return properties.over(base);
		}
		catch (InvalidConfigurationException ex) {
			throw new InvalidConfigurationException(prefix + ex.setting(), ex.value(), ex.reason(), ex.remedy());
		}
	}

	private @Nullable KernelProperties ownOf(String kernelId) {
		KernelProperties own = this.properties.kernels().get(kernelId);
		return (own != null) ? own : this.properties.kernels().get(withoutHyphens(kernelId));
	}

	/**
	 * Whether an id, as it is configured, means a kernel. Environment variables have no
	 * hyphens.
	 */
	static boolean means(String configured, String kernelId) {
		return configured.equals(kernelId) || configured.equals(withoutHyphens(kernelId));
	}

	private static String withoutHyphens(String kernelId) {
		return kernelId.replace("-", "");
	}

	@Override
	public String nameOf(String kernelId, String setting) {
		return prefixOf(kernelId) + setting;
	}

	private static String prefixOf(String kernelId) {
		return "ringkernel.kernels.%s.".formatted(kernelId);
	}

}
