package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.util.List;

import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.load.DeviceTimings;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.exception.KernelStuckException;

/**
 * Admits kernels to a device: one starts if it finds a place beside those that run.
 *
 * @since 0.2.0
 */
public final class Admission {

	private final LoadLock loadLock;

	private final DeviceLoops loops;

	private final DeviceTimings timings;

	private final int multiprocessors;

	private int mostStaying = CoResidency.MAX_STAYING;

	public Admission(LoadLock loadLock, DeviceLoops loops, DeviceTimings timings, int multiprocessors) {
		this.multiprocessors = multiprocessors;
		this.loadLock = loadLock;
		this.loops = loops;
		this.timings = timings;
	}

	/** Lowers how many kernels may stay on the device, for tests. */
	public void mostStaying(int kernels) {
		this.mostStaying = kernels;
	}

	/** Checks that one more kernel may stay on the device. */
	public void requireRoomToStay(String id) {
		CoResidency.checkNumber(id, staying(this.loops.wanted()).size(), this.mostStaying);
	}

	private static List<LoadedKernel> staying(List<LoadedKernel> kernels) {
		return kernels.stream().filter(LoadedKernel::stays).toList();
	}

	/**
	 * Whether a kernel that is launched on demand may stay for a while: it leaves room to
	 * each of the others then.
	 */
	boolean mayLinger(LoadedKernel kernel) {
		List<LoadedKernel> resident = this.loops.residentBeside(kernel);
		return resident.size() < this.mostStaying
				&& CoResidency.leavesRoom(kernel, resident, this.loops.absentBeside(kernel), this.multiprocessors);
	}

	/**
	 * Launches a kernel if all its workers find a place beside the kernels that run, and
	 * those that are launched on demand still find one.
	 * @param patience how long other kernels may take to yield to one that is loaded
	 * @throws PlanFailedException if some do not; nothing of it is on the device then
	 * @throws KernelStuckException if its launch before has not ended
	 */
	void launch(LoadedKernel kernel, LoopStart starting, Duration patience) {
		this.loadLock.hold(kernel.id(), patience, () -> {
			List<LoadedKernel> running = this.loops.beside(kernel);
			if (kernel.stays()) {
				List<LoadedKernel> staying = staying(running);
				CoResidency.checkNumber(kernel.id(), staying.size(), this.mostStaying);
				CoResidency.checkRoom(kernel, staying, this.multiprocessors);
			}
			try {
				this.loops.awaitPlaces(kernel, deadline());
				int absent = CoResidency.absentAfter(kernel, running, starting, this.timings.patienceWithSilence());
				if (absent > 0) {
					starting.withdraw();
					throw refused(kernel,
							CoResidency.refusal(kernel, absent, running, this.timings.patienceWithSilence()));
				}
				requirePlaceForOthers(kernel, starting);
			}
			catch (KernelStuckException ex) {
				starting.withdraw();
				throw ex;
			}
			catch (InterruptedException ex) {
				starting.withdraw();
				throw Deadline.interrupted(kernel.id(), ex);
			}
			return Boolean.TRUE;
		});
	}

	/**
	 * A kernel that stays keeps its place for ever: one that is launched on demand, and
	 * is not on the device at the moment, would never get one beside it.
	 */
	private void requirePlaceForOthers(LoadedKernel kernel, LoopStart starting) throws InterruptedException {
		LoadedKernel starved = kernel.stays() ? this.loops.starved(deadline()) : null;
		if (starved != null) {
			starting.withdraw();
			throw refused(kernel, CoResidency.starvation(kernel, starved));
		}
	}

	private Deadline deadline() {
		return Deadline.in(this.timings.patienceWithSilence());
	}

	private PlanFailedException refused(LoadedKernel kernel, String why) {
		drain(kernel);
		return new PlanFailedException(kernel.id(), why,
				"Lower the workers or threads-per-worker of one of them, run one on another device, or terminate one.",
				null);
	}

	/** Has the blocks of a kernel that wait for a place find one, and end. */
	private void drain(LoadedKernel kernel) {
		Duration patience = this.timings.patience();
		this.loadLock.whileOthersYield(kernel.id(), patience, () -> {
			try {
				return Deadline.in(patience).await(kernel::isDone);
			}
			catch (InterruptedException ex) {
				throw Deadline.interrupted(kernel.id(), ex);
			}
		});
	}

}
