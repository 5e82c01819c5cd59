package io.ringkernel.cuda.host.wire;

import io.ringkernel.exception.RingKernelException;

/**
 * The kernel host cannot be started, does not answer, or has failed in a way that has no
 * exception of its own.
 *
 * @since 0.2.0
 */
public final class HostFailureException extends RingKernelException {

	/** Creates the exception, whose message says what has failed and what to do. */
	public HostFailureException(String message) {
		super(message, null);
	}

}
