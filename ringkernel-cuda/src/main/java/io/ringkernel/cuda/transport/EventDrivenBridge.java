package io.ringkernel.cuda.transport;

import java.util.concurrent.TimeUnit;

import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.ring.WaitStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies around the launches of a kernel: what was published goes in front of it, on its
 * stream, and what it has answered is fetched once it has ended. The kernel ends when it
 * finds nothing.
 * <p>
 * <strong>A kernel that takes its time</strong> has copies made beside it as well, so
 * that what is published, withdrawn or commanded meanwhile reaches it, and a slow message
 * holds up no later one. Where a kernel that runs blocks the driver, such a copy waits
 * for its end, as anything else would.
 */
final class EventDrivenBridge implements RingTransport {

	private static final Logger logger = LoggerFactory.getLogger(EventDrivenBridge.class);

	/** How long a launch is waited for: most have ended by then. */
	private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	/** How often the lines of the workers are looked at. */
	private static final long WORKERS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final DeviceRegion region;

	/** Whether a command that was put beside the kernel may still be on its way. */
	private boolean besideIsBusy;

	/** Whether a command can reach a kernel that runs. */
	private final boolean isHeard;

	private long workersShownAt = System.nanoTime();

	EventDrivenBridge(DeviceRegion region, boolean isHeard) {
		this.region = region;
		this.isHeard = isHeard;
	}

	@Override
	public DevicePointer memory() {
		return this.region.memory();
	}

	@Override
	public boolean carries() {
		return true;
	}

	@Override
	public boolean launch(Runnable kernel) {
		// No copy to the device overtakes one that was put beside the kernel before.
		if (this.besideIsBusy) {
			this.region.awaitBeside();
			this.besideIsBusy = false;
		}
		showWorkersIfDue();
		this.region.enqueue(kernel);
		long begin = System.nanoTime();
		for (int round = 1; System.nanoTime() - begin < SHORT_NANOS; round++) {
			if (this.region.isDone()) {
				return true;
			}
			WaitStrategy.YIELD.pause(round);
		}
		return false;
	}

	/**
	 * Under load there is no quiet moment at which the host is shown what the workers
	 * tell.
	 */
	private void showWorkersIfDue() {
		long now = System.nanoTime();
		if (now - this.workersShownAt > WORKERS_NANOS) {
			this.region.showWorkers();
			this.workersShownAt = now;
		}
	}

	@Override
	public boolean whileRunning() {
		return this.isHeard && this.region.exchange() > 0;
	}

	@Override
	public void afterEnd() {
		this.region.kernelEnded();
	}

	/**
	 * A kernel that has much to do ends sooner for the command. Where the copy does not
	 * get past the kernel, that one ends when it has done what it was launched for; the
	 * command is sent in front of the next launch then, if it still holds.
	 */
	@Override
	public void onCommand() {
		if (!this.isHeard) {
			return;
		}
		try {
			this.region.sendCommand();
		}
		catch (CudaDeadlineException ex) {
			this.besideIsBusy = true;
			logger.debug("The command to stop does not reach a running kernel", ex);
		}
	}

	@Override
	public void settle() {
		this.region.showWorkers();
	}

	@Override
	public void release() {
		this.region.release();
	}

}
