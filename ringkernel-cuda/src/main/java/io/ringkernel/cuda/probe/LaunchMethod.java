package io.ringkernel.cuda.probe;

/**
 * How an event-driven kernel is launched.
 *
 * @since 0.2.0
 */
public enum LaunchMethod {

	/** Each time with all that it is launched with. */
	KERNEL,

	/** As a graph of one node, prepared once. */
	GRAPH

}
