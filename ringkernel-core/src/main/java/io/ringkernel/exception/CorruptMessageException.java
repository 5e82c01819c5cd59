package io.ringkernel.exception;

/**
 * Bytes that were read from a ring are no valid message: a length, an offset or an
 * enumeration constant lies outside its layout. It says that the writer, a kernel or
 * another process, does not follow the protocol; nothing of the message is used.
 *
 * @since 0.1.0
 */
public class CorruptMessageException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param message what was read, and what the layout allows
	 */
	public CorruptMessageException(String message) {
		super(message, null);
	}

}
