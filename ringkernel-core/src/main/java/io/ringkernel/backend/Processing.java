package io.ringkernel.backend;

/**
 * How many requests a worker of the CPU backend handles before it checks for control
 * commands and shows a sign of life. A worker on a device does so by the clock, and uses
 * this number only on a platform where no command reaches a launch: there, a launch ends
 * after it.
 *
 * @since 0.1.0
 */
public enum Processing {

	/** One. */
	CONTINUOUS,

	/** As many as are there, up to the maximum per iteration. */
	BATCH,

	/**
	 * Twice as many as last time if the last iteration was full, otherwise half as many,
	 * up to the maximum per iteration.
	 */
	ADAPTIVE

}
