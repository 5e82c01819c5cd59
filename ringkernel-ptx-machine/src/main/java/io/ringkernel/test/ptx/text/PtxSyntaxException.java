package io.ringkernel.test.ptx.text;

/**
 * A text that is not PTX, or PTX that the machine does not run. The message names the
 * line and what stands there.
 *
 * @since 0.2.0
 */
public final class PtxSyntaxException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** Refuses a line, counted from 1. */
	public PtxSyntaxException(int line, String problem) {
		super("line %d: %s".formatted(line, problem));
	}

}
