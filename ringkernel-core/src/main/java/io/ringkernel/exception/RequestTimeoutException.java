package io.ringkernel.exception;

import java.time.Duration;

import io.ringkernel.Durations;

/**
 * A request was sent but not answered in time. It was withdrawn if no worker had begun
 * it; otherwise its response, when it comes, is discarded. Or a receiver waited for a
 * response while nothing was sent, and no request was given up.
 *
 * @since 0.1.0
 */
public class RequestTimeoutException extends RingKernelException {

	private final Duration timeout;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param timeout the timeout that passed
	 */
	public RequestTimeoutException(String kernelId, Duration timeout) {
		super(("Ring kernel '%s' did not answer within %s. "
				+ "Raise request-timeout if its handler needs longer, or look for a slow or stuck handler.")
			.formatted(kernelId, Durations.format(timeout)), null);
		this.timeout = timeout;
	}

	private RequestTimeoutException(Duration timeout, String message) {
		super(message, null);
		this.timeout = timeout;
	}

	/**
	 * {@return the exception of a receiver that no request was sent for}
	 * @param kernelId the kernel
	 * @param timeout the timeout that passed
	 * @since 0.2.0
	 */
	public static RequestTimeoutException nothingSent(String kernelId, Duration timeout) {
		return new RequestTimeoutException(timeout,
				("A receiver has waited for %s, and nothing was sent to ring kernel '%s' on its stream. No request is "
						+ "given up. Send before you receive, or receive again.")
					.formatted(Durations.format(timeout), kernelId));
	}

	/**
	 * {@return the timeout that passed}
	 */
	public Duration timeout() {
		return this.timeout;
	}

}
