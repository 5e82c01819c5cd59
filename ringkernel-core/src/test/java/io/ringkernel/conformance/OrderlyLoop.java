package io.ringkernel.conformance;

import java.time.Duration;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.PlanFailedException;
import org.jspecify.annotations.Nullable;

/**
 * A loop that ends after the requests at hand. A thread that still calls it then reaches
 * the one that has ended all the same. The loop that comes next finds nothing that it
 * could take over but the ring.
 */
public final class OrderlyLoop implements EndableLoop {

	private final DeviceLoop loop;

	private volatile @Nullable PlanFailedException failure;

	/**
	 * Creates the loop.
	 * @param loop what serves the ring
	 */
	public OrderlyLoop(DeviceLoop loop) {
		this.loop = loop;
	}

	@Override
	public void end(PlanFailedException why) throws InterruptedException {
		if (!this.loop.stop(ConformanceFixture.LIMIT)) {
			throw new AssertionError("The loop has not stopped");
		}
		this.failure = why;
	}

	@Override
	public boolean rings() {
		return this.loop.rings();
	}

	@Override
	public void start() {
		this.loop.start();
	}

	@Override
	public void doorbell() {
		this.loop.doorbell();
	}

	@Override
	public void nudge() {
		this.loop.nudge();
	}

	@Override
	public void abandon(long position) {
		this.loop.abandon(position);
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		return this.loop.stop(timeout);
	}

	@Override
	public @Nullable Throwable failure() {
		PlanFailedException ended = this.failure;
		return (ended != null) ? ended : this.loop.failure();
	}

	@Override
	public int activeWorkers() {
		return this.loop.activeWorkers();
	}

	@Override
	public long clockHertz() {
		return this.loop.clockHertz();
	}

	@Override
	public void close() {
		this.loop.close();
	}

}
