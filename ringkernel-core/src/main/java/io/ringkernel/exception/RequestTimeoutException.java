package io.ringkernel.exception;

import java.time.Duration;

import io.ringkernel.Durations;

/**
 * A request was sent but not answered in time. It was withdrawn if no worker had begun
 * it; otherwise its response, when it comes, is discarded.
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

	/**
	 * The timeout that passed.
	 * @return the timeout
	 */
	public Duration timeout() {
		return this.timeout;
	}

}
