package io.ringkernel.backend;

import java.time.Duration;
import java.util.Map;

import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;

/**
 * A loop that does what another one does, for tests that have one thing done otherwise.
 */
public abstract class ForwardingLoop implements DeviceLoop {

	private final DeviceLoop loop;

	protected ForwardingLoop(DeviceLoop loop) {
		this.loop = loop;
	}

	@Override
	public void start() {
		this.loop.start();
	}

	@Override
	public boolean rings() {
		return this.loop.rings();
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
	public void interrupt() {
		this.loop.interrupt();
	}

	@Override
	public boolean isInterruptible() {
		return this.loop.isInterruptible();
	}

	@Override
	public @Nullable Throwable failure() {
		return this.loop.failure();
	}

	@Override
	public long[] begun() {
		return this.loop.begun();
	}

	@Override
	public int workersPerGroup() {
		return this.loop.workersPerGroup();
	}

	@Override
	public int activeWorkers() {
		return this.loop.activeWorkers();
	}

	@Override
	public long deviceMemoryBytes() {
		return this.loop.deviceMemoryBytes();
	}

	@Override
	public Map<String, Object> launchParameters() {
		return this.loop.launchParameters();
	}

	@Override
	public long clockHertz() {
		return this.loop.clockHertz();
	}

	@Override
	public KernelMemory memory(KernelSpec<?, ?> kernel) {
		return this.loop.memory(kernel);
	}

	@Override
	public void close() {
		this.loop.close();
	}

}
