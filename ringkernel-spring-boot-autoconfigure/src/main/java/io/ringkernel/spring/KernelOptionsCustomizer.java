package io.ringkernel.spring;

import io.ringkernel.backend.KernelOptions;

/**
 * Changes how kernels are run, after configuration has been read: for what is only known
 * at run time. Beans of this type are applied in their order.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KernelOptionsCustomizer {

	/**
	 * Customizes the options of a kernel.
	 * @param kernelId the id of the kernel
	 * @param options its options so far
	 * @return its options: the same, or others
	 * @throws io.ringkernel.exception.InvalidConfigurationException if a value is out of
	 * its range
	 */
	KernelOptions customize(String kernelId, KernelOptions options);

}
