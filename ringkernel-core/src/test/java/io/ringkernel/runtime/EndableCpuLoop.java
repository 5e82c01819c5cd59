package io.ringkernel.runtime;

import java.time.Duration;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.PlanFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Java threads that end after the requests at hand. A thread that still calls the loop
 * then reaches it all the same.
 */
final class EndableCpuLoop implements EndableLoop {

	private final DeviceLoop loop;

	private volatile @Nullable PlanFailedException failure;

	EndableCpuLoop(DeviceLoop loop) {
		this.loop = loop;
	}

	@Override
	public void end(PlanFailedException why) throws InterruptedException {
		if (!this.loop.stop(KernelFixture.LIMIT)) {
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
		return this.failure;
	}

	@Override
	public int activeWorkers() {
		return this.loop.activeWorkers();
	}

	@Override
	public void close() {
		this.loop.close();
	}

}
