package io.ringkernel.exception;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything that a ring kernel throws. Each subclass is one cause, with a
 * message that names the value, the limit and the remedy.
 *
 * @since 0.1.0
 */
public abstract class RingKernelException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message the sentence that explains it
	 * @param cause what led to it, if anything
	 */
	protected RingKernelException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
