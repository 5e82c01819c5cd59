package io.ringkernel.spring.ai.embedding.model;

import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * A model or a tokenizer that cannot be read, or one that the kernel does not take. The
 * message names the field and its value, and says what is taken.
 *
 * @since 0.2.0
 */
public final class InvalidEncoderException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param message the field, the value, and what is taken
	 */
	public InvalidEncoderException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message the field, the value, and what is taken
	 * @param cause what led to it, if anything
	 */
	public InvalidEncoderException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
