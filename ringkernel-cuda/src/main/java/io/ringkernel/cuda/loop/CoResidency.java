package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

import io.ringkernel.Durations;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.load.Room;
import io.ringkernel.exception.KernelStuckException;

/**
 * Whether a kernel finds a place on the device beside those that run. One that does not
 * would wait for another to end, which never happens. No sum over kernels tells: the
 * device spreads blocks breadth-first, so that a few small blocks keep a large one from
 * every multiprocessor. So the kernel is launched, and each of its workers has to show a
 * sign of life.
 */
final class CoResidency {

	/**
	 * Of the 127 grids that are resident at once beside one more, measured on an H200:
	 * those of kernels that stay. The others are for kernels that are launched on demand,
	 * of which there may be any number.
	 */
	static final int MAX_STAYING = 120;

	/**
	 * Which part of the multiprocessors kernels that stay leave to those that are
	 * launched on demand, if they are many.
	 */
	static final int SHARE_ON_DEMAND = 4;

	/** Beside fewer kernels, one may take all that is left: a search takes a device. */
	private static final int MANY = 32;

	private static final String REMEDY = "Run it in event-driven mode or on another device, lower the workers of kernels, or terminate one.";

	private CoResidency() {
	}

	/**
	 * Checks that one more kernel may stay on the device.
	 * @throws PlanFailedException if it may not: it is launched on demand then
	 */
	static void checkNumber(String id, int staying, int most) {
		if (staying >= most) {
			throw new PlanFailedException(id,
					"%d persistent kernels run already, and a device runs %d of them".formatted(staying, most), REMEDY,
					null);
		}
	}

	/**
	 * Checks that a kernel that stays leaves room to those that are launched on demand.
	 * @throws PlanFailedException if it does not
	 */
	static void checkRoom(LoadedKernel kernel, List<LoadedKernel> staying, int all) {
		int taken = new Room(all, staying).taken();
		if (staying.size() >= MANY && kernel.multiprocessors() + taken > all - all / SHARE_ON_DEMAND) {
			throw new PlanFailedException(kernel.id(),
					"it takes %d multiprocessors, persistent kernels have %d of %d already, and they leave %d to kernels that are launched on demand"
						.formatted(kernel.multiprocessors(), taken, all, all / SHARE_ON_DEMAND),
					REMEDY, null);
		}
	}

	/**
	 * Whether a kernel that is on the device leaves room to each that is not. One without
	 * room would wait until this launch has ended.
	 */
	static boolean leavesRoom(LoadedKernel kernel, List<LoadedKernel> resident, List<LoadedKernel> absent, int all) {
		Room room = new Room(all, resident);
		return room.holds(kernel) && (absent.isEmpty() || absent.stream().allMatch(room.beside(kernel)::holds));
	}

	/**
	 * Launches a kernel beside others and waits until all its workers have found a place;
	 * returns how many have found none in time. One that is launched on demand is tried
	 * only beside kernels that stay: all others end some time. Its workers leave
	 * together, so those that have found a place keep it for as long as the others have
	 * none, until the time limit of the launch.
	 * @throws KernelStuckException if its launch before has not ended in time
	 */
	static int absentAfter(LoadedKernel kernel, List<LoadedKernel> running, LoopStart starting, Duration patience)
			throws InterruptedException {
		WorkerStartCheck started = new WorkerStartCheck(kernel.control());
		Deadline deadline = Deadline.in(patience);
		boolean isTried = kernel.stays() || running.stream().anyMatch(LoadedKernel::stays);
		if (!isTried || kernel.transport().carries()) {
			if (isTried && !kernel.tryOut(deadline)) {
				return kernel.grid().workers();
			}
			starting.launch(false);
			return 0;
		}
		long launches = kernel.control().launches();
		starting.launch(true);
		boolean settled = deadline
			.await(() -> (kernel.control().launches() != launches && started.absent() == 0) || starting.isBroken());
		if (!settled && kernel.control().launches() == launches) {
			throw new KernelStuckException(kernel.id(), "come to rest", patience);
		}
		return settled ? 0 : started.absent();
	}

	/** Says that workers have found no place, and what holds the places. */
	static String refusal(LoadedKernel kernel, int absent, List<LoadedKernel> running, Duration patience) {
		String holders = running.isEmpty() ? "though no other kernel of this process runs there"
				: "beside " + running.stream().map(CoResidency::holding).collect(Collectors.joining(" and "));
		return "%d of its %d workers gave no sign of life within %s: its %d blocks, of which a multiprocessor holds %d, find no place on the device, %s"
			.formatted(absent, kernel.grid().workers(), Durations.format(patience.truncatedTo(ChronoUnit.MILLIS)),
					kernel.grid().blocks(), kernel.blocksPerMultiprocessor(), holders);
	}

	/** Says that a kernel leaves no place for one that is launched on demand. */
	static String starvation(LoadedKernel kernel, LoadedKernel starved) {
		return "its %d blocks, of which a multiprocessor holds %d, would leave no place on the device for %s, which is launched on demand"
			.formatted(kernel.grid().blocks(), kernel.blocksPerMultiprocessor(), holding(starved));
	}

	private static String holding(LoadedKernel kernel) {
		return "'%s' (%d blocks of %d threads, of which a multiprocessor holds %d)".formatted(kernel.id(),
				kernel.grid().blocks(), kernel.grid().shape().threads(), kernel.blocksPerMultiprocessor());
	}

}
