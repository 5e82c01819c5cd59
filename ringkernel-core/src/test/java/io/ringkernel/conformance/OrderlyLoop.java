package io.ringkernel.conformance;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.ForwardingLoop;
import io.ringkernel.backend.PlanFailedException;
import org.jspecify.annotations.Nullable;

/**
 * A loop that ends after the requests at hand. A thread that still calls it then reaches
 * the one that has ended all the same. The loop that comes next finds nothing that it
 * could take over but the ring.
 */
public final class OrderlyLoop extends ForwardingLoop implements EndableLoop {

	private volatile @Nullable PlanFailedException failure;

	/**
	 * Creates the loop.
	 * @param loop what serves the ring
	 */
	public OrderlyLoop(DeviceLoop loop) {
		super(loop);
	}

	@Override
	public void end(PlanFailedException why) throws InterruptedException {
		if (!stop(ConformanceFixture.LIMIT)) {
			throw new AssertionError("The loop has not stopped");
		}
		this.failure = why;
	}

	@Override
	public @Nullable Throwable failure() {
		PlanFailedException ended = this.failure;
		return (ended != null) ? ended : super.failure();
	}

}
