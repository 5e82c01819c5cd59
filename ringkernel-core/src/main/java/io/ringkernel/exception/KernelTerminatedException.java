package io.ringkernel.exception;

import org.jspecify.annotations.Nullable;

/**
 * The kernel ended, or broke, before it answered a request that had been sent. Whether
 * the handler has run on it is not known.
 *
 * @since 0.1.0
 */
public class KernelTerminatedException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param cause what ended it, if it did not end as asked
	 */
	public KernelTerminatedException(String kernelId, @Nullable Throwable cause) {
		super(("Ring kernel '%s' ended before it answered. "
				+ "Send the request again once the kernel is ACTIVE, if it may be handled twice.")
			.formatted(kernelId), cause);
	}

}
