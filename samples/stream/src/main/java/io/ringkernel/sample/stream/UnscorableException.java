package io.ringkernel.sample.stream;

/**
 * A record that cannot be scored, however often it is tried. The message is the reason
 * that its dead letter carries.
 */
class UnscorableException extends Exception {

	UnscorableException(String reason) {
		super(reason);
	}

	UnscorableException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
