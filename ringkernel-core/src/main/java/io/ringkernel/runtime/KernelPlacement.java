package io.ringkernel.runtime;

import java.util.List;
import java.util.Optional;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.session.KernelSession;
import io.ringkernel.session.SessionOpener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs a kernel: what was planned for it, or the best way that is left where the
 * platform did not do what that relies on. It is changed by one thread at a time, and
 * each launch begins with what was planned.
 */
final class KernelPlacement {

	private static final Logger logger = LoggerFactory.getLogger(KernelPlacement.class);

	private static final String STATE_LOST = "; what it kept on the device is lost, and its state begins anew";

	private static final String STATE_SAVED = "; of what it kept on the device, it has what was saved last";

	private final Kernel<?, ?> kernel;

	private final PlannedBackend planned;

	private final PlannedBackends backends;

	/** The other devices that the kernel may go on on if its own is lost, best first. */
	private final List<PlannedBackend> spares;

	private final KernelEvents events;

	private volatile PlannedBackend current;

	/** Whether the kernel has left its device because that was lost. */
	private volatile boolean lost;

	KernelPlacement(Kernel<?, ?> kernel, PlannedBackend planned, PlannedBackends backends, List<PlannedBackend> spares,
			KernelEvents events) {
		this.kernel = kernel;
		this.planned = planned;
		this.backends = backends;
		this.spares = spares;
		this.events = events;
		this.current = planned;
	}

	ExecutionPlan plan() {
		return this.current.plan();
	}

	/** Whether the CPU was planned, and does not only stand in for a device. */
	boolean isPlannedOnCpu() {
		return this.planned.plan().backend() == BackendKind.CPU;
	}

	void requireOpen() {
		this.backends.requireOpen(this.kernel.id());
	}

	/**
	 * Allocates memory of what runs the kernel now. Takes no lock, as a driver may take
	 * long for it: a kernel that moves meanwhile has none of it.
	 */
	Optional<DeviceMemory> allocate(long bytes) {
		return this.current.backend().allocateOnDevice(this.kernel.id(), bytes);
	}

	/** Whether the process has lost for good what alone may run the kernel. */
	boolean isLost() {
		Backend backend = this.planned.backend();
		return backend.failure() != null && !backend.isRecoverable() && !this.backends.mayLeave(this.planned);
	}

	/** Whether the kernel has left a device that can be got back. */
	boolean isAway() {
		return this.lost && !this.current.equals(this.planned) && this.planned.backend().isRecoverable();
	}

	private boolean recover() {
		return this.planned.backend().recover(this.kernel.id());
	}

	/**
	 * Gets the device back that the kernel has left, and has it do in advance what taking
	 * over takes long for. The kernel runs on meanwhile.
	 * @return whether it may take over now
	 */
	boolean prepareFailback(KernelSession<?, ?> session) {
		if (!recover()) {
			return false;
		}
		try {
			session.prepare(this.planned.backend());
			return true;
		}
		catch (RuntimeException ex) {
			stay(ex);
			return false;
		}
	}

	/** What the device can never do is not tried again; other reasons may pass. */
	private void stay(Throwable why) {
		logger.warn("Ring kernel '{}' stays on {}: {}", this.kernel.id(), name(plan()), why.getMessage());
		if (why instanceof UnsupportedOperationException) {
			this.lost = false;
		}
	}

	/**
	 * Has the device go on in place of a loop that was stopped. If it cannot, what has
	 * gone on in its place does so again.
	 * @return whether the kernel is back
	 * @throws RuntimeException if neither goes on
	 */
	boolean failBack(KernelSession<?, ?> session, StateKeeper state, boolean start) {
		try {
			session.handOver(this.planned.backend(), state::takeOver, start);
		}
		catch (RuntimeException | Error ex) {
			session.handOver(this.current.backend(), KernelPlacement::keepState, start);
			stay(ex);
			return false;
		}
		logger.info("Ring kernel '{}' is back on {}", this.kernel.id(), name(this.planned.plan()));
		settleDown("the device that was lost is there again");
		return true;
	}

	private void settleDown(String reason) {
		KernelPlanChange change = changeTo(this.planned, false, reason);
		boolean changed = !this.current.equals(this.planned);
		this.lost = false;
		this.current = this.planned;
		if (changed) {
			this.events.publish(change);
		}
	}

	/**
	 * Opens a session as it was planned or, where that cannot be, in the best way that is
	 * left. A process that has lost a device does not go back to it. A device that is
	 * lost meanwhile is tried once more if it can be got back, since another kernel may
	 * have lost it.
	 */
	<I extends Record, O extends Record> KernelSession<I, O> open(SessionOpener<I, O> opener) {
		if (!this.current.equals(this.planned) && this.planned.backend().failure() == null) {
			logger.info("Ring kernel '{}' is launched on {} again", this.kernel.id(), name(this.planned.plan()));
			settleDown("it is launched anew");
		}
		boolean triedAgain = false;
		while (true) {
			try {
				return opener.open(this.current.backend());
			}
			catch (PlanFailedException ex) {
				if (ex instanceof DeviceLostException && !triedAgain && recover()) {
					triedAgain = true;
					continue;
				}
				PlannedBackend next = this.backends.after(this.current, ex);
				if (next == null) {
					throw noOtherPlan(this.kernel.id(), ex);
				}
				degrade(next, ex, "");
			}
			catch (RingKernelException ex) {
				leave(ex);
			}
		}
	}

	/** Leaves a device that cannot run the kernel, or throws if it is demanded. */
	private void leave(RingKernelException failure) {
		if (failure instanceof InvalidConfigurationException || Thread.currentThread().isInterrupted()) {
			throw failure;
		}
		String why = (failure instanceof KernelLaunchException launch) ? launch.reason()
				: String.valueOf(failure.getMessage());
		PlannedBackend cpu = this.backends.insteadOf(this.current, why);
		if (cpu == null) {
			throw failure;
		}
		String remedy = (failure instanceof KernelLaunchException launch) ? launch.remedy() : null;
		degrade(cpu, (remedy != null) ? new PlanFailedException(this.kernel.id(), why, remedy, failure)
				: new PlanFailedException(this.kernel.id(), why, failure), "");
	}

	/** Opens a session anew where the kernel could not be started on its device. */
	<I extends Record, O extends Record> KernelSession<I, O> openElsewhere(SessionOpener<I, O> opener,
			RingKernelException failure) {
		leave(failure);
		return opener.open(this.current.backend());
	}

	/**
	 * Has another loop go on where one has ended because its plan failed. What is queued
	 * stays in the ring, and is answered by that.
	 * @param state is asked for the state if that is lost with the loop
	 * @return whether one goes on
	 */
	boolean handOver(KernelSession<?, ?> session, PlanFailedException why, StateKeeper state, boolean start) {
		if (why instanceof DeviceLostException) {
			this.lost = true;
			if (move(session, why, state, start)
					|| (!this.backends.mayLeave(this.planned) && restart(session, state, start))) {
				return true;
			}
		}
		PlanFailedException latest = why;
		PlannedBackend next = this.backends.after(this.current, latest);
		while (next != null) {
			try {
				boolean kept = !(why instanceof DeviceLostException)
						&& changeTo(next, true, why.reason()).isStateKept();
				session.handOver(next.backend(), kept ? KernelPlacement::keepState : state::takeOver, start);
				degrade(next, why, STATE_LOST);
				return true;
			}
			catch (RuntimeException ex) {
				String reason = (ex instanceof PlanFailedException failed) ? failed.reason() : ex.getMessage();
				latest = new PlanFailedException(this.kernel.id(), "%s; and %s could not take over, because %s"
					.formatted(latest.reason(), name(next.plan()), reason), ex);
				next = this.backends.after(next, latest);
			}
		}
		return false;
	}

	/** Has another device of the kernel go on in place of the one that was lost. */
	private boolean move(KernelSession<?, ?> session, PlanFailedException why, StateKeeper state, boolean start) {
		int lostDevice = plan().device();
		for (PlannedBackend next : this.spares) {
			if (next.plan().device() == lostDevice) {
				continue;
			}
			try {
				session.handOver(next.backend(), state::takeOver, start);
				degrade(next, why, STATE_SAVED);
				return true;
			}
			catch (RuntimeException ex) {
				logger.warn("Ring kernel '{}' cannot go on on device {}: {}", this.kernel.id(), next.plan().device(),
						ex.getMessage());
			}
		}
		return false;
	}

	/** Has the one device go on, as often as it is lost while it takes over. */
	private boolean restart(KernelSession<?, ?> session, StateKeeper state, boolean start) {
		while (recover()) {
			try {
				session.handOver(this.planned.backend(), state::takeOver, start);
				settleDown("the device that was lost is there again");
				return true;
			}
			catch (DeviceLostException ex) {
				logger.warn("Ring kernel '{}' has lost its device again: {}", this.kernel.id(), ex.reason());
			}
			catch (RuntimeException ex) {
				logger.error("Ring kernel '{}' cannot go on on its device", this.kernel.id(), ex);
				return false;
			}
		}
		return false;
	}

	/** A loop finds the state where the one before has left it. */
	private static void keepState(DeviceLoop next) {
	}

	/** Logs first: once the plan or the event is seen, the log has the reason. */
	private void degrade(PlannedBackend next, PlanFailedException why, String consequence) {
		KernelPlanChange change = changeTo(next, true, why.reason());
		logger.warn("Ring kernel '{}' is run on {} instead of {}, because {}{}{}", this.kernel.id(), name(change.to()),
				name(change.from()), why.reason(), change.isStateKept() ? "" : consequence,
				(why.remedy() != null) ? ". " + why.remedy() : "");
		this.current = next;
		this.events.publish(change);
	}

	static KernelLaunchException noOtherPlan(String kernelId, PlanFailedException why) {
		String remedy = why.remedy();
		return new KernelLaunchException(kernelId, why.reason() + ".",
				(remedy != null) ? remedy : "Set ringkernel.backend, ringkernel.mode and ringkernel.transport to auto.",
				why);
	}

	private KernelPlanChange changeTo(PlannedBackend next, boolean degraded, String reason) {
		return new KernelPlanChange(this.kernel, this.current.plan(), next.plan(), degraded, reason);
	}

	private String name(ExecutionPlan plan) {
		String name = "%s, %s/%s".formatted(ConfiguredName.of(plan.backend()), ConfiguredName.of(plan.mode()),
				ConfiguredName.of(plan.transport()));
		return this.spares.isEmpty() ? name : name + " of device " + plan.device();
	}

}
