package io.ringkernel.sample.search.web;

/**
 * A query cannot be searched; the message says what to change.
 */
class InvalidQueryException extends RuntimeException {

	InvalidQueryException(String message) {
		super(message);
	}

}
