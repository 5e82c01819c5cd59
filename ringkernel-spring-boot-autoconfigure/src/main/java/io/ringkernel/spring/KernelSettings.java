package io.ringkernel.spring;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;

/**
 * How each kernel is run, as the application configures it.
 *
 * @since 0.1.0
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
	 * Where the CUDA image of a kernel is found.
	 * @param kernelId the id of the kernel
	 * @param declared what {@link RingKernel#image()} says, or an empty string
	 * @return the resource location; an empty string for a kernel that is to have no
	 * image
	 * @since 0.2.0
	 */
	default String imageOf(String kernelId, String declared) {
		return declared;
	}

	/**
	 * What becomes of a request that may have been begun on a device that has ended by
	 * force.
	 * @param kernelId the id of the kernel
	 * @param declared what {@link RingKernel#replay()} says
	 * @return what holds for the kernel
	 * @since 0.2.0
	 */
	default Replay replayOf(String kernelId, Replay declared) {
		return declared;
	}

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
