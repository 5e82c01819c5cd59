package io.ringkernel.cuda.driver;

import java.time.Duration;

import io.ringkernel.exception.RingKernelException;

/**
 * The CUDA driver did not answer in time. The thread that called it is still waiting, so
 * later calls fail at once until it has returned.
 *
 * @since 0.1.0
 */
public class CudaDeadlineException extends RingKernelException {

	private final String call;

	private final boolean made;

	/**
	 * Creates the exception.
	 * @param call the call that does not return
	 * @param waited how long it has been under way
	 */
	public CudaDeadlineException(String call, Duration waited) {
		this(call, waited, true);
	}

	/**
	 * Creates the exception.
	 * @param call the call that does not return
	 * @param waited how long it has been under way
	 * @param made whether the call that was asked for has begun; otherwise it waited
	 * behind the one that does not return, and is never made
	 * @since 0.2.0
	 */
	public CudaDeadlineException(String call, Duration waited, boolean made) {
		super(("The CUDA driver has not returned from %s for %d ms. "
				+ "A kernel that does not end, or a broken device, holds it up; if it persists, restart the process.")
			.formatted(call, waited.toMillis()), null);
		this.call = call;
		this.made = made;
	}

	/**
	 * {@return the name of the call that does not return}
	 */
	public String call() {
		return this.call;
	}

	/**
	 * {@return whether the call that was asked for has begun, and may still take effect}
	 * @since 0.2.0
	 */
	public boolean isMade() {
		return this.made;
	}

}
