package io.ringkernel.runtime;

/**
 * Something that happened to a kernel as a whole, never to a single request.
 */
public sealed interface KernelEvent permits KernelStateChange, KernelPlanChange {

	/**
	 * The kernel that it happened to.
	 * @return the kernel
	 */
	Kernel<?, ?> kernel();

}
