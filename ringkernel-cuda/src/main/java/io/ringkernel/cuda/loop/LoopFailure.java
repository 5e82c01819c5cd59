package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DeviceLoss;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.loop.LaunchState.Event;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * What has broken a loop, if anything has. A plan that has failed is reported once the
 * kernel is known to have ended: no other loop may touch its requests before.
 */
final class LoopFailure {

	private final LoadedKernel kernel;

	private final LaunchProgress progress;

	private final Launcher launcher;

	private final DeviceLoss device;

	private final String hintAtDelay;

	private final Duration patience;

	private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();

	/** What is to be reported once the kernel has ended. */
	private final AtomicReference<@Nullable Abandonment> abandonment = new AtomicReference<>();

	/**
	 * Creates it, sound.
	 * @param hintAtDelay what is to be said of a driver that has not returned in time:
	 * nothing, or a clause
	 */
	LoopFailure(LoadedKernel kernel, LaunchProgress progress, Launcher launcher, DeviceLoss device, String hintAtDelay,
			Duration patience) {
		this.kernel = kernel;
		this.progress = progress;
		this.launcher = launcher;
		this.device = device;
		this.hintAtDelay = hintAtDelay;
		this.patience = patience;
	}

	@Nullable Throwable cause() {
		return this.cause.get();
	}

	/**
	 * Notes that something was thrown. If the driver merely refuses, or does not return,
	 * another plan may do.
	 * <p>
	 * The driver reports the fault of another device in the same words. A kernel that
	 * reaches the memory of the host by itself is then given its time to end: until it
	 * has, no other loop may touch its requests.
	 */
	void note(Throwable thrown) {
		FaultVerdict verdict = FaultVerdict.of(this.kernel.id(), thrown, this.hintAtDelay);
		if (verdict.isDeviceLost()) {
			this.device.note(thrown);
		}
		if (verdict.kind() == FaultVerdict.Kind.PLAN_FAILED) {
			abandon((PlanFailedException) verdict.failure(), false);
		}
		else if (verdict.ended() && !this.kernel.transport().carries() && !this.device.isOfThisDevice()) {
			abandon((PlanFailedException) verdict.failure(), true);
		}
		else {
			this.launcher.stop();
			if (verdict.ended()) {
				this.progress.apply(Event.ENDED);
			}
			breakDown(verdict.failure());
		}
		// Whatever the driver says, workers that have ended have.
		this.launcher.trustWorkers();
	}

	/** Makes calls of the driver, and notes what they throw. */
	void noting(Runnable calls) {
		try {
			calls.run();
		}
		catch (RingKernelException ex) {
			note(ex);
		}
	}

	/** Gives the plan up, because the platform does not do what it relies on. */
	void abandon(String why) {
		abandon(new PlanFailedException(this.kernel.id(), why, null), false);
	}

	private void abandon(PlanFailedException why, boolean mayHaveFaulted) {
		Abandonment given = new Abandonment(why, mayHaveFaulted, Deadline.in(this.patience));
		if (this.cause.get() != null) {
			return;
		}
		if (this.abandonment.compareAndSet(null, given)) {
			this.launcher.stop();
			if (!this.progress.state().isOnDevice()) {
				breakDown(why);
			}
		}
		else if (mayHaveFaulted) {
			Abandonment pending = Objects.requireNonNull(this.abandonment.get(), "nothing takes it back");
			this.abandonment.set(new Abandonment(why, true, pending.deadline()));
		}
	}

	/** A launch has ended: whether the loop is broken. */
	boolean isFinal() {
		Abandonment pending = this.abandonment.get();
		if (pending != null) {
			breakDown(pending.why());
		}
		return this.cause.get() != null;
	}

	/**
	 * Fails a kernel that was given up and does not end: what waits for it is not left to
	 * wait for its time. One that may have met the fault has.
	 */
	void checkEnd() {
		Abandonment pending = this.abandonment.get();
		if (pending == null || this.cause.get() != null || pending.deadline().remainingNanos() > 0) {
			return;
		}
		if (pending.mayHaveFaulted()) {
			this.progress.apply(Event.ENDED);
			breakDown(pending.why());
		}
		else {
			KernelStuckException stuck = new KernelStuckException(this.kernel.id(), "end", this.patience);
			stuck.addSuppressed(pending.why());
			breakDown(stuck);
		}
	}

	private void breakDown(Throwable failure) {
		this.cause.compareAndSet(null, failure);
		this.launcher.stop();
	}

	/**
	 * A plan that was given up; a kernel that does not tell of its end may have faulted.
	 */
	private record Abandonment(PlanFailedException why, boolean mayHaveFaulted, Deadline deadline) {
	}

}
