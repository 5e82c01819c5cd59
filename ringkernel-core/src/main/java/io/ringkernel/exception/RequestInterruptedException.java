package io.ringkernel.exception;

/**
 * The thread that waited for a slot or a response was interrupted. Its interrupt flag is
 * set again; a request that had been sent is withdrawn as after a timeout.
 *
 * @since 0.1.0
 */
public class RequestInterruptedException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 */
	public RequestInterruptedException(String kernelId) {
		super("The wait for ring kernel '%s' was interrupted.".formatted(kernelId), null);
	}

}
