package io.ringkernel.exception;

/**
 * The device, or the process that uses it, has ended while a worker may have been
 * handling the request. Whether the handler has run is not known. Requests of a kernel
 * with {@code replay: idempotent} are handled again instead.
 *
 * @since 0.2.0
 */
public class RequestLostException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param position the position of the request in the ring, by which the log and the
	 * event name the request that has ended a kernel host
	 */
	public RequestLostException(String kernelId, long position) {
		super(("Request %d to ring kernel '%s' is lost with the device that may have handled it. Send it again if handling "
				+ "it twice does no harm, or set replay to idempotent.")
			.formatted(position, kernelId), null);
	}

}
