package io.ringkernel.test.fault;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;

/** A device loop that can be lost and can be stuck. */
final class FaultyLoop implements DeviceLoop {

	private final String kernelId;

	private final DeviceLoop loop;

	private final KernelFaults faults;

	/** What is set before the loop interrupts its workers, so that they let go. */
	private final AtomicBoolean forced;

	/** Once lost, a loop stays so; a reset brings back the device, not what ran on it. */
	private volatile @Nullable InjectedFaultException lost;

	FaultyLoop(String kernelId, DeviceLoop loop, KernelFaults faults, AtomicBoolean forced) {
		this.kernelId = kernelId;
		this.loop = loop;
		this.faults = faults;
		this.forced = forced;
	}

	/** Fails as a driver does that has lost its device. */
	static void requireDevice(String kernelId, KernelFaults faults) {
		InjectedFaultException cause = faults.current().lost();
		if (cause != null) {
			throw new KernelLaunchException(kernelId, "its device is lost, as a test asked. Reset the faults.", cause);
		}
	}

	private boolean isLost() {
		return failure() != null;
	}

	@Override
	public void start() {
		requireDevice(this.kernelId, this.faults);
		this.loop.start();
	}

	@Override
	public boolean rings() {
		return this.loop.rings();
	}

	@Override
	public void abandon(long position) {
		this.loop.abandon(position);
	}

	@Override
	public void doorbell() {
		if (!isLost()) {
			this.loop.doorbell();
		}
	}

	@Override
	public void nudge() {
		if (!isLost()) {
			this.loop.nudge();
		}
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		FaultSet now = this.faults.current();
		if (isLost()) {
			interrupt();
		}
		else if (now.isStuck()) {
			// What it obeys when it is not stuck any more.
			this.loop.stop(Duration.ZERO);
			long begun = System.nanoTime();
			if (!now.awaitEnd(timeout)) {
				return false;
			}
			Duration rest = timeout.minusNanos(System.nanoTime() - begun);
			return this.loop.stop(rest.isNegative() ? Duration.ZERO : rest);
		}
		return this.loop.stop(timeout);
	}

	@Override
	public void interrupt() {
		this.forced.set(true);
		this.loop.interrupt();
	}

	@Override
	public boolean isInterruptible() {
		return this.loop.isInterruptible();
	}

	@Override
	public @Nullable Throwable failure() {
		InjectedFaultException cause = this.lost;
		if (cause == null) {
			cause = this.faults.current().lost();
			this.lost = cause;
		}
		return (cause != null) ? cause : this.loop.failure();
	}

	@Override
	public int activeWorkers() {
		int active = this.loop.activeWorkers();
		return this.faults.current().isStuck() ? Math.max(1, active) : active;
	}

	@Override
	public Map<String, Object> launchParameters() {
		return this.loop.launchParameters();
	}

	@Override
	public long deviceMemoryBytes() {
		return this.loop.deviceMemoryBytes();
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
