package io.ringkernel.backend;

/**
 * What becomes of a request that a worker may have begun when a device, or the process
 * that uses it, has ended by force. A request that no worker has begun is always handled.
 *
 * @since 0.2.0
 */
public enum Replay {

	/**
	 * The request fails with a {@link io.ringkernel.exception.RequestLostException}: it
	 * may have been handled, and is not handled twice. A {@link ReplayPolicy} may admit
	 * some.
	 */
	NEVER,

	/**
	 * The request is handled again, in the order in which requests were sent. The handler
	 * has to bear that: handling a request twice does no more than handling it once.
	 */
	IDEMPOTENT

}
