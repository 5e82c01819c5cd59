package io.ringkernel.routing;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;

/**
 * One of several kernels that do the same, as a router sees it. Both looks are a few
 * loads: they wait for nobody and allocate nothing.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.2.0
 */
public interface Replica<I extends Record, O extends Record> {

	/**
	 * {@return the client of this replica; the same for all launches}
	 */
	RingKernelClient<I, O> client();

	/**
	 * {@return the state of this replica: it takes requests if it is
	 * {@link KernelState#ACTIVE}}
	 */
	KernelState state();

	/**
	 * {@return about how many requests are in flight, 0 or a power of two; any value
	 * while the replica takes no requests}
	 */
	int load();

}
