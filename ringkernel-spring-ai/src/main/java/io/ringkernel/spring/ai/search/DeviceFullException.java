package io.ringkernel.spring.ai.search;

import io.ringkernel.exception.RingKernelException;

/**
 * The device has no memory left for vectors or columns. What was to be added is not, and
 * everything else is as it was.
 *
 * @since 0.2.0
 */
public class DeviceFullException extends RingKernelException {

	private final String problem;

	private final String remedy;

	/**
	 * Creates the exception.
	 * @param problem how much there is, and how much fits: a sentence
	 * @param remedy what to change: a sentence
	 * @param cause what the driver has reported
	 */
	public DeviceFullException(String problem, String remedy, Throwable cause) {
		super(problem + " " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
	}

	/**
	 * How much there is, and how much fits.
	 * @return a sentence
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * What to change.
	 * @return a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

}
