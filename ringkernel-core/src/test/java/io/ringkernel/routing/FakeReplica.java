package io.ringkernel.routing;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;

/**
 * A replica that is as a test says.
 */
final class FakeReplica implements Replica<LeastLoadedRouterTests.Ping, LeastLoadedRouterTests.Ping> {

	KernelState state = KernelState.ACTIVE;

	int load;

	@Override
	public RingKernelClient<LeastLoadedRouterTests.Ping, LeastLoadedRouterTests.Ping> client() {
		throw new UnsupportedOperationException("a router sends nothing");
	}

	@Override
	public KernelState state() {
		return this.state;
	}

	@Override
	public int load() {
		return this.load;
	}

}
