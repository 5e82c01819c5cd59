package io.ringkernel.backend;

/**
 * How many requests a worker takes between two looks at the host's commands.
 */
public enum Processing {

	/** One: obeys a command after the request at hand. */
	CONTINUOUS,

	/** As many as are there, up to the maximum per iteration. */
	BATCH,

	/**
	 * Twice as many as last time where the last iteration was full, half as many where it
	 * was not, up to the maximum per iteration.
	 */
	ADAPTIVE

}
