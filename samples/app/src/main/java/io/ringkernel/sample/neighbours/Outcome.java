package io.ringkernel.sample.neighbours;

/**
 * How an operation ended. These are answers, not failures: a kernel reports them by a
 * number, on every backend alike.
 */
public enum Outcome {

	/** Done. */
	DONE,
	/** There was no room for all vectors of the message, so none of them was stored. */
	FULL,
	/** There is no vector with that id. */
	UNKNOWN_ID

}
