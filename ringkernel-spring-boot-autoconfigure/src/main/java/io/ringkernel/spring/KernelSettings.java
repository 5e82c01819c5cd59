package io.ringkernel.spring;

import io.ringkernel.backend.KernelOptions;

/**
 * How each kernel is run, as the application configures it.
 */
@FunctionalInterface
public interface KernelSettings {

	/**
	 * How a kernel is run.
	 * @param kernelId the id of the kernel
	 * @return its options
	 * @throws io.ringkernel.InvalidConfigurationException if a value is out of its range
	 */
	KernelOptions optionsOf(String kernelId);

	/**
	 * The name under which a setting of a kernel is to be found in configuration.
	 * @param kernelId the id of the kernel
	 * @param setting the setting, such as {@code ring-memory}
	 * @return its full name
	 */
	default String nameOf(String kernelId, String setting) {
		return setting;
	}

}
