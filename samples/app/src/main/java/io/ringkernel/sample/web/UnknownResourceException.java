package io.ringkernel.sample.web;

/**
 * There is nothing with the id that a caller named; answered with status 404.
 */
public class UnknownResourceException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message a sentence that names the id
	 */
	public UnknownResourceException(String message) {
		super(message);
	}

}
