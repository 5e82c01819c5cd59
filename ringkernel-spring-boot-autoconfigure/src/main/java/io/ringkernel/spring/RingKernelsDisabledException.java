package io.ringkernel.spring;

import io.ringkernel.exception.RingKernelException;

/**
 * A kernel was called in an application whose ring kernels are disabled. Nothing was
 * sent.
 *
 * @since 0.2.0
 */
public class RingKernelsDisabledException extends RingKernelException {

	private final String kernelId;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel that was called
	 */
	public RingKernelsDisabledException(String kernelId) {
		super("Ring kernel '%s' cannot be called: ring kernels are disabled. Set ringkernel.enabled to true."
			.formatted(kernelId), null);
		this.kernelId = kernelId;
	}

	/**
	 * {@return the id of the kernel that was called}
	 */
	public String kernelId() {
		return this.kernelId;
	}

}
