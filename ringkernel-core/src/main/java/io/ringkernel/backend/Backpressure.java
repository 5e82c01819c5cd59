package io.ringkernel.backend;

/**
 * What a client does when every slot of the ring is in flight.
 */
public enum Backpressure {

	/** Waits for a free slot, for as long as the request's timeout allows. */
	BLOCK,

	/** Fails at once. */
	REJECT

}
