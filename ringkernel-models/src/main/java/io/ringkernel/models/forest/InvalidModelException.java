package io.ringkernel.models.forest;

import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * A model that cannot be imported or does not fit. The message names the model, the field
 * and its value, and says what to do.
 *
 * @since 0.2.0
 */
public final class InvalidModelException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param message the field, the value, the limit and the remedy
	 */
	public InvalidModelException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message the field, the value, the limit and the remedy
	 * @param cause what led to it, if anything
	 */
	public InvalidModelException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
