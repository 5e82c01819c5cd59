package io.ringkernel.cuda;

import java.util.List;

import io.ringkernel.bridge.ResponseBridge;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.DevicePointer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies around the launches of a kernel: what was published goes in front of it, on its
 * stream, and what it has answered comes back behind it. The kernel ends when it finds
 * nothing. One that takes its time has copies made beside it as well, so that what is
 * published, withdrawn or commanded meanwhile reaches it, and a slow message delays
 * nobody else. Where a kernel that runs blocks the driver, such a copy waits for its end,
 * as anything else would.
 */
final class EventDrivenBridge implements RingTransport {

	private static final Logger logger = LoggerFactory.getLogger(EventDrivenBridge.class);

	private final BridgedRegion region;

	private final @Nullable ResponseBridge behind;

	/** Whether a command may still be on its way. */
	private boolean commandIsLate;

	/** Whether a command can reach a kernel that runs. */
	private final boolean isHeard;

	/**
	 * Creates the bridge.
	 * @param isHeard whether anything can reach a kernel that runs
	 */
	EventDrivenBridge(BridgedRegion region, boolean isHeard) {
		this.region = region;
		this.isHeard = isHeard;
		this.behind = region.behindKernel();
	}

	@Override
	public DevicePointer memory() {
		return this.region.memory();
	}

	@Override
	public boolean isCarried() {
		return true;
	}

	@Override
	public boolean launch(Runnable kernel) {
		if (this.commandIsLate) {
			this.region.await(this.region.beside());
			this.commandIsLate = false;
		}
		this.region.bridge().commandToDevice();
		this.region.bridge().toDevice();
		List<CopyQueue.Copy> before = this.region.collected();
		ResponseBridge way = this.behind;
		if (way == null) {
			return this.region.launch(before, kernel, List.of(), () -> false);
		}
		way.fetch();
		return this.region.launch(before, kernel, this.region.collected(), way::hasArrived);
	}

	@Override
	public boolean whileRunning() {
		return this.isHeard && this.region.exchange() > 0;
	}

	/** The end of the kernel. */
	@Override
	public boolean isAwaited() {
		return true;
	}

	@Override
	public void afterEnd() {
		if (this.behind != null) {
			this.region.deliver(this.behind, this.region.stream());
		}
		if (this.region.bridge().unanswered() > 0) {
			this.region.exchange();
		}
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
		this.region.bridge().commandToDevice();
		try {
			this.region.copy(this.region.beside());
		}
		catch (CudaDeadlineException ex) {
			this.commandIsLate = true;
			logger.debug("The command to stop does not reach a running kernel", ex);
		}
	}

	@Override
	public void settle() {
		this.region.showWorkers(this.region.stream());
	}

	@Override
	public void release() {
		this.region.release();
	}

}
