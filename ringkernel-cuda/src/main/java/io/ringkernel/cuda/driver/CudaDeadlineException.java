package io.ringkernel.cuda.driver;

import java.time.Duration;

import io.ringkernel.RingKernelException;

/**
 * The CUDA driver did not answer in time. The thread that called it is still waiting, so
 * later calls fail at once until it has returned.
 *
 * @since 0.1.0
 */
public class CudaDeadlineException extends RingKernelException {

	private final String call;

	/**
	 * Creates the exception.
	 * @param call the call that does not return
	 * @param waited how long it has been under way
	 */
	public CudaDeadlineException(String call, Duration waited) {
		super(("The CUDA driver has not returned from %s for %d ms. "
				+ "A kernel that does not end, or a broken device, holds it up; if it persists, restart the process.")
			.formatted(call, waited.toMillis()), null);
		this.call = call;
	}

	/**
	 * The call that does not return.
	 * @return its name
	 */
	public String call() {
		return this.call;
	}

}
