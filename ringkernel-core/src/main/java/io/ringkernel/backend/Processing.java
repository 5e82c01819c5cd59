package io.ringkernel.backend;

/**
 * How many requests a worker takes in one iteration: between two signs of life and, on a
 * device, between two looks at the host's commands, each of which is a read of the bus.
 */
public enum Processing {

	/** One: a device obeys a command after the request at hand. */
	CONTINUOUS,

	/** As many as are there, up to the maximum per iteration. */
	BATCH,

	/**
	 * Twice as many as last time where the last iteration was full, half as many where it
	 * was not, up to the maximum per iteration.
	 */
	ADAPTIVE

}
