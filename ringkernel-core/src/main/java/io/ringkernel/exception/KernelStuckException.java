package io.ringkernel.exception;

import java.time.Duration;

import io.ringkernel.Durations;
import io.ringkernel.KernelState;

/**
 * A kernel did not obey a lifecycle command in time. It is {@link KernelState#FAILED};
 * what it can still reach is kept until it stops.
 *
 * @since 0.1.0
 */
public class KernelStuckException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param command the command it was given
	 * @param waited how long it was waited for
	 */
	public KernelStuckException(String kernelId, String command, Duration waited) {
		super(("Ring kernel '%s' did not %s within %s; a handler may be stuck. "
				+ "Its memory is kept until it stops; raise the timeout if its handler needs longer.")
			.formatted(kernelId, command, Durations.format(waited)), null);
	}

	/**
	 * Creates the exception anew, as another process has reported it.
	 * @param message the sentence that explains it
	 * @since 0.2.0
	 */
	public KernelStuckException(String message) {
		super(message, null);
	}

}
