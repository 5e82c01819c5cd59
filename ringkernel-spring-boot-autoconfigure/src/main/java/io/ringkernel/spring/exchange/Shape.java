package io.ringkernel.spring.exchange;

/**
 * What a method makes of a request: its parameter and its result.
 */
enum Shape {

	/** A request; waits for its response. */
	CALL,

	/** A request; a future of its response. */
	SUBMIT,

	/** A request; nothing. */
	SEND,

	/** A list of requests; waits for their responses. */
	BATCH,

	/** A request; a Mono of its response. */
	MONO,

	/** A publisher of requests; a Flux of their responses. */
	FLUX

}
