package io.ringkernel.spring.boot.autoconfigure.actuate;

/**
 * Text of a request that is repeated in a response.
 */
final class Echo {

	/** Longer than any id or action. */
	private static final int MAX_LENGTH = 64;

	private Echo() {
	}

	/** The text, cut after some characters. */
	static String of(String text) {
		return (text.length() > MAX_LENGTH) ? text.substring(0, MAX_LENGTH) + "…" : text;
	}

}
