package io.ringkernel.maven;

/**
 * A compiler has refused what it was given. The message is what it said.
 */
final class CompilationException extends Exception {

	private static final long serialVersionUID = 1;

	CompilationException(String message) {
		super(message);
	}

}
