package io.ringkernel.sample.web;

/**
 * There is no room for what a caller sent, although it is valid; answered with status
 * 409.
 */
public class CapacityExceededException extends RuntimeException {

	private final long limit;

	/**
	 * Creates the exception.
	 * @param limit how much there is room for
	 * @param message a sentence that names the limit and the remedy
	 */
	public CapacityExceededException(long limit, String message) {
		super(message);
		this.limit = limit;
	}

	long limit() {
		return this.limit;
	}

}
