package io.ringkernel.routing;

import io.ringkernel.exception.KernelNotActiveException;

/**
 * Decides which replica a request goes to. For any number of threads at once.
 * <p>
 * A router keeps no list of those that are alive. It looks at the state of a replica when
 * it chooses, so a replica leaves and rejoins by its state alone.
 *
 * @param <I> the request
 */
interface Router<I extends Record> {

	/**
	 * Chooses a replica for a request.
	 * @return its number
	 */
	int replicaFor(I request);

	/**
	 * Chooses a replica for a stream.
	 * @return its number
	 * @throws UnsupportedOperationException if requests of a stream may belong to
	 * different replicas
	 */
	int replicaForStream();

	/**
	 * To how many replicas a request may be offered, one after another, if they refuse
	 * it.
	 */
	int attempts();

	/**
	 * What the caller is thrown if no replica has taken the request.
	 * @param replica the one that refused it last
	 */
	KernelNotActiveException refusal(int replica, KernelNotActiveException why);

}
