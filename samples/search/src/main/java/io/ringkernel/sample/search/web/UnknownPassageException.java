package io.ringkernel.sample.search.web;

/**
 * There is no such passage, or it is not embedded yet.
 */
class UnknownPassageException extends RuntimeException {

	UnknownPassageException(String id) {
		super("There is no passage '%s', or it is not embedded yet. Take the id of a hit.".formatted(id));
	}

}
