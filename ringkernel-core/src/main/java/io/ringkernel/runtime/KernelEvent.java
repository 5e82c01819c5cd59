package io.ringkernel.runtime;

/**
 * Something that happened to a kernel as a whole, never to a single request.
 *
 * @since 0.1.0
 */
public sealed interface KernelEvent permits KernelStateChange, KernelPlanChange, KernelStateRecovery, KernelRemoval {

	/**
	 * {@return the kernel that it happened to}
	 */
	Kernel<?, ?> kernel();

}
