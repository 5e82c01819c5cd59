package io.ringkernel.routing;

/**
 * How requests find a replica.
 *
 * @since 0.2.0
 */
public enum Routing {

	/** To a replica with few requests in flight. */
	LEAST_LOADED,

	/** To the replica that serves the key of the request. */
	KEY

}
