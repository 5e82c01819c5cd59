package io.ringkernel.test.fault;

/**
 * What failed failed because a test asked for it. It is the cause of what the application
 * sees, or the failure of a kernel's loop.
 *
 * @since 0.1.0
 */
public class InjectedFaultException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message which fault it was: a sentence
	 */
	public InjectedFaultException(String message) {
		super(message);
	}

}
