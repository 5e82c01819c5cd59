package io.ringkernel;

import org.jspecify.annotations.Nullable;

/**
 * The handler failed on this request. Other requests are not affected.
 */
public class HandlerFailedException extends RingKernelException {

	private final int code;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param code the error code that the handler reported; 0 for an exception in Java
	 * @param cause the exception that a Java handler threw, if it was one
	 */
	public HandlerFailedException(String kernelId, int code, @Nullable Throwable cause) {
		super((cause != null) ? "The handler of ring kernel '%s' failed: %s".formatted(kernelId, cause)
				: "The handler of ring kernel '%s' failed with error code %d".formatted(kernelId, code), cause);
		this.code = code;
	}

	/**
	 * The error code that the handler reported.
	 * @return the code; 0 for an exception in Java
	 */
	public int code() {
		return this.code;
	}

}
