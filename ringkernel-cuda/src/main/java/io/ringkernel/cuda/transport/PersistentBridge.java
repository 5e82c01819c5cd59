package io.ringkernel.cuda.transport;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.ringkernel.cuda.driver.DevicePointer;

/**
 * Copies beside a kernel that stays, on a stream of their own: what was published goes to
 * it, and what it may have answered is looked at, for as long as anything is unanswered.
 */
final class PersistentBridge implements RingTransport, Carrier {

	/** How often the lines of the workers are looked at. */
	private static final long WORKERS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final BridgedRegion region;

	private long workersShownAt = System.nanoTime();

	PersistentBridge(BridgedRegion region) {
		this.region = region;
	}

	@Override
	public DevicePointer memory() {
		return this.region.memory();
	}

	@Override
	public Carrier carrier() {
		return this;
	}

	@Override
	public boolean launch(Runnable kernel, BooleanSupplier mayStay) {
		this.region.commandInFront();
		this.region.bridge().toDevice();
		this.region.enqueue(this.region.collected(), kernel, List.of());
		return false;
	}

	@Override
	public boolean whileRunning() {
		RegionBridge bridge = this.region.bridge();
		boolean carried = (bridge.unanswered() > 0 || bridge.hasNews()) && this.region.visit(this.region::exchange) > 0;
		if (System.nanoTime() - this.workersShownAt > WORKERS_NANOS) {
			this.region.showWorkers(this.region.beside());
			this.workersShownAt = System.nanoTime();
		}
		return carried;
	}

	/** Answers, and what the workers tell of them. */
	@Override
	public boolean isAwaited() {
		return this.region.bridge().unanswered() > 0 || !this.region.isTold();
	}

	@Override
	public void afterEnd() {
		this.region.kernelEnded();
		this.region.visit(this.region::exchange);
	}

	@Override
	public void onCommand() {
		this.region.sendCommand();
	}

	@Override
	public void settle() {
		this.region.showWorkersNow(this.region.beside());
	}

	@Override
	public void release() {
		this.region.release();
	}

}
