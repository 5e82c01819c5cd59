package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

import io.ringkernel.Durations;
import io.ringkernel.KernelLaunchException;
import io.ringkernel.KernelStuckException;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.load.LoadedKernel;

/**
 * Whether a kernel finds a place on the device beside those that run. One that does not
 * would wait for another to end, which never happens. No sum over kernels tells: the
 * device spreads blocks breadth-first, so that a few small blocks keep a large one from
 * every multiprocessor. So the kernel is launched, and each of its workers has to show a
 * sign of life.
 */
final class CoResidency {

	/** One-block grids that are resident at once beside one more; measured on an H200. */
	static final int MAX_KERNELS = 127;

	private CoResidency() {
	}

	/**
	 * Checks that a device holds one more kernel.
	 * @param running how many run
	 * @throws KernelLaunchException if it does not
	 */
	static void checkNumber(String id, int running) {
		if (running + 1 > MAX_KERNELS) {
			throw new KernelLaunchException(id,
					"%d kernels run already, and a device holds %d.".formatted(running, MAX_KERNELS), "Terminate one.",
					null);
		}
	}

	/**
	 * Launches a kernel beside others and waits until all its workers have found a place.
	 * The blocks of a kernel that is launched on demand may come one after another. Only
	 * kernels that stay can keep all of them away, so it is tried beside such, with the
	 * command to stop.
	 * @return how many workers have found none in time
	 * @throws KernelStuckException if its launch before has not ended in time
	 * @throws InterruptedException if the thread was interrupted
	 */
	static int absentAfter(LoadedKernel kernel, List<LoadedKernel> running, Starting starting, Duration patience)
			throws InterruptedException {
		RollCall roll = new RollCall(kernel.control());
		Deadline deadline = Deadline.in(patience);
		if (!kernel.stays()) {
			if (!findsPlace(kernel, running, deadline)) {
				return kernel.grid().workers();
			}
			starting.launch();
			return 0;
		}
		long launches = kernel.control().launches();
		starting.launch();
		boolean settled = deadline
			.await(() -> (kernel.control().launches() != launches && roll.absent() == 0) || starting.isBroken());
		if (!settled && kernel.control().launches() == launches) {
			throw new KernelStuckException(kernel.id(), "come to rest", patience);
		}
		return settled ? 0 : roll.absent();
	}

	/**
	 * Whether blocks of a kernel that has ended find a place beside others, if need be
	 * one after another.
	 * @throws InterruptedException if the thread was interrupted
	 */
	static boolean findsPlace(LoadedKernel kernel, List<LoadedKernel> running, Deadline deadline)
			throws InterruptedException {
		return running.stream().noneMatch(LoadedKernel::stays) || kernel.tryOut(deadline);
	}

	/**
	 * Says that workers have found no place, and what holds the places.
	 * @return a clause
	 */
	static String refusal(LoadedKernel kernel, int absent, List<LoadedKernel> running, Duration patience) {
		String holders = running.isEmpty() ? "though no other kernel of this process runs there"
				: "beside " + running.stream().map(CoResidency::holding).collect(Collectors.joining(" and "));
		return "%d of its %d workers gave no sign of life within %s: its %d blocks, of which a multiprocessor holds %d, find no place on the device, %s"
			.formatted(absent, kernel.grid().workers(), Durations.format(patience.truncatedTo(ChronoUnit.MILLIS)),
					kernel.grid().blocks(), kernel.blocksPerMultiprocessor(), holders);
	}

	/**
	 * Says that a kernel leaves no place for one that is launched on demand.
	 * @return a clause
	 */
	static String starvation(LoadedKernel kernel, LoadedKernel starved) {
		return "its %d blocks, of which a multiprocessor holds %d, would leave no place on the device for %s, which is launched on demand"
			.formatted(kernel.grid().blocks(), kernel.blocksPerMultiprocessor(), holding(starved));
	}

	private static String holding(LoadedKernel kernel) {
		return "'%s' (%d blocks of %d threads, of which a multiprocessor holds %d)".formatted(kernel.id(),
				kernel.grid().blocks(), kernel.grid().shape().threads(), kernel.blocksPerMultiprocessor());
	}

	/**
	 * What remains to be done to start a kernel that is loaded.
	 */
	interface Starting {

		/**
		 * Launches it, or sees to it that it is launched when it is needed.
		 */
		void launch();

		/**
		 * Whether it has failed, so that nothing is to be waited for.
		 */
		boolean isBroken();

		/**
		 * It is not to run.
		 */
		void withdraw();

	}

}
