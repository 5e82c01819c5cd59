package io.ringkernel.cuda;

/**
 * How an event-driven kernel is launched.
 */
enum LaunchMethod {

	/** Each time with all that it is launched with. */
	KERNEL,

	/** As a graph of one node, prepared once. */
	GRAPH

}
