package io.ringkernel.backend;

/**
 * What a client does when every slot of the ring is in flight.
 *
 * @since 0.1.0
 */
public enum Backpressure {

	/** Waits for a free slot, for as long as the request's timeout allows. */
	BLOCK,

	/** Fails at once. */
	REJECT

}
