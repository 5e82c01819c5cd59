package io.ringkernel.exception;

import org.jspecify.annotations.Nullable;

/**
 * The handler failed on this request. Other requests are not affected.
 *
 * @since 0.1.0
 */
public class HandlerFailedException extends RingKernelException {

	private final int code;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param problem what went wrong: a clause that follows "kernel 'x': "
	 * @param code the error code that the handler reported; 0 for an exception in Java
	 * @param cause the exception that a Java handler threw, if it was one
	 */
	public HandlerFailedException(String kernelId, String problem, int code, @Nullable Throwable cause) {
		super("Ring kernel '%s': %s".formatted(kernelId, problem), cause);
		this.code = code;
	}

	/**
	 * {@return the error code that the handler reported; 0 for an exception in Java}
	 */
	public int code() {
		return this.code;
	}

}
