package io.ringkernel.exception;

/**
 * A message in a slot was used when its memory was no longer the caller's: the request
 * was published, or the slot of the response given back. Nothing was read or written.
 *
 * @since 0.2.0
 */
public class MessageReleasedException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param message the record of the message
	 */
	public MessageReleasedException(Class<?> message) {
		super(("%s lies in a slot that is no longer this caller's. Use a request in its writer and a response in "
				+ "its reader only, and begin an array before you write it.")
			.formatted(message.getSimpleName()), null);
	}

}
