package io.ringkernel.cuda.host;

import io.ringkernel.RingKernelException;

/**
 * The kernel host cannot be started, does not answer, or has failed in a way that has no
 * exception of its own.
 *
 * @since 0.2.0
 */
public final class HostFailureException extends RingKernelException {

	HostFailureException(String message) {
		super(message, null);
	}

}
