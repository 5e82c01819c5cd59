package io.ringkernel.platform;

/**
 * What runs the device loop.
 *
 * @since 0.1.0
 */
public enum BackendKind {

	/** Java threads, running the kernel's handler. */
	CPU,

	/** A CUDA device, running the kernel's image. */
	CUDA

}
