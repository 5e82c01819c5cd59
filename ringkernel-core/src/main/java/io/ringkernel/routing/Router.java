package io.ringkernel.routing;

import io.ringkernel.exception.KernelNotActiveException;

/**
 * Decides by its number which replica a request goes to. For any number of threads at
 * once.
 * <p>
 * A router keeps no list of those that are alive. It looks at the state of a replica when
 * it chooses, so a replica leaves and rejoins by its state alone.
 */
interface Router<I extends Record> {

	int replicaFor(I request);

	/** Throws if requests of a stream may belong to different replicas. */
	int replicaForStream();

	/** To how many replicas a request may be offered, if they refuse it. */
	int attempts();

	/** What the caller is thrown if no replica took the request, and this one last. */
	KernelNotActiveException refusal(int replica, KernelNotActiveException why);

}
