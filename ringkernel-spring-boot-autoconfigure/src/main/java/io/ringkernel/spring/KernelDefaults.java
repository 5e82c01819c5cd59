package io.ringkernel.spring;

import io.ringkernel.backend.KernelOptions;

/**
 * What kernels have that a library brings, where configuration sets nothing. Beans of
 * this type are applied in their order, before configuration is read;
 * {@link KernelOptionsCustomizer}s come after it.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface KernelDefaults {

	/**
	 * Changes the defaults for a kernel.
	 * @param kernelId the id of the kernel
	 * @param defaults what it has so far, if nothing is configured
	 * @return what it has instead: the same, or others
	 */
	KernelOptions defaultsOf(String kernelId, KernelOptions defaults);

}
