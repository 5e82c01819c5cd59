package io.ringkernel.exception;

/**
 * A type cannot be laid out as a message. Thrown when the kernel is defined, before it is
 * launched.
 *
 * @since 0.1.0
 */
public class UnsupportedMessageTypeException extends RingKernelException {

	private final Class<?> messageType;

	/**
	 * Creates the exception.
	 * @param messageType the type that cannot be laid out
	 * @param problem the sentence that says which component is at fault, why, and what to
	 * write instead
	 */
	public UnsupportedMessageTypeException(Class<?> messageType, String problem) {
		super(problem, null);
		this.messageType = messageType;
	}

	/**
	 * {@return the type that cannot be laid out}
	 */
	public Class<?> messageType() {
		return this.messageType;
	}

}
