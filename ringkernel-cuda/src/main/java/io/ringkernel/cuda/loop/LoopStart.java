package io.ringkernel.cuda.loop;

import java.time.Duration;

import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.loop.LaunchState.Event;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RingKernelException;

/**
 * The start of a loop: its kernel is launched if it finds a place on the device. A loop
 * whose start fails is stopped.
 */
record LoopStart(CudaLoop loop, LaunchStrategy strategy, Launcher launcher) {

	/**
	 * Starts the loop, for which other kernels may take so long to yield.
	 * @throws PlanFailedException if another plan may do
	 * @throws KernelStuckException if the launch before has not ended
	 * @throws KernelLaunchException if it cannot be started
	 */
	void by(Admission admission, Duration patience) {
		String id = this.loop.kernel().id();
		try {
			requireDriver();
			admission.launch(this.loop.kernel(), this, patience);
		}
		catch (PlanFailedException | KernelStuckException | KernelLaunchException ex) {
			withdraw();
			throw ex;
		}
		catch (RingKernelException ex) {
			withdraw();
			if (ex instanceof CudaException
					&& FaultVerdict.of(id, ex, "").failure() instanceof PlanFailedException failed) {
				throw failed;
			}
			throw new KernelLaunchException(id, String.valueOf(ex.getMessage()), ex);
		}
	}

	/**
	 * Asks the driver something: a kernel that is launched on demand would not need it
	 * before its first request.
	 */
	private void requireDriver() {
		if (!this.loop.kernel().stays()) {
			this.loop.kernel().isDone();
		}
	}

	/**
	 * Launches the kernel, or sees to it that it is launched when it is needed.
	 * @param now whether it is launched although nothing is to be done
	 */
	void launch(boolean now) {
		this.launcher.tell(Event.WANT);
		this.strategy.bringUp();
		if (now && !this.loop.kernel().stays()) {
			this.launcher.visit(() -> true);
		}
	}

	/** Whether it has failed, so that nothing is to be waited for. */
	boolean isBroken() {
		return this.loop.failure() != null;
	}

	void withdraw() {
		this.launcher.tell(Event.STOP);
	}

}
