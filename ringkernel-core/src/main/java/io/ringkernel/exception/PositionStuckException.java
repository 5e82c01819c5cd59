package io.ringkernel.exception;

import java.time.Duration;

import io.ringkernel.KernelState;

/**
 * A thread has claimed a position in the ring of a kernel and published no request there,
 * so no later request is answered. The kernel is {@link KernelState#FAILED}.
 *
 * @since 0.2.0
 */
public class PositionStuckException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param position the position
	 * @param limit how long it was claimed
	 */
	public PositionStuckException(String kernelId, long position, Duration limit) {
		super(("Position %d in the ring of kernel '%s' has stayed claimed for more than %d ms without a request. "
				+ "An accessor of the request's record, or the writer of an in-place call, may block. "
				+ "Return from it, then relaunch the kernel.")
			.formatted(position, kernelId, limit.toMillis()), null);
	}

}
