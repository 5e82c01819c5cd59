package io.ringkernel.backend;

/**
 * Whether the handler of a kernel that has no image is compiled for a device.
 *
 * @since 0.2.0
 */
public enum Compile {

	/**
	 * If a device is there. A handler that a device cannot run as Java does runs on the
	 * CPU, and the plan of the kernel says why.
	 */
	AUTO,

	/**
	 * In any case: a handler that a device cannot run as Java does is a failure at
	 * start-up, also where there is no device.
	 */
	REQUIRED,

	/** Never: the handler runs on the CPU. */
	OFF

}
