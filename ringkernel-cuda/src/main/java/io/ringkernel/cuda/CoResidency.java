package io.ringkernel.cuda;

import java.util.Collection;

import io.ringkernel.KernelLaunchException;

/**
 * Whether a kernel finds a place on the device beside those that run. One that does not
 * would wait for another to end, which never happens.
 */
final class CoResidency {

	/** One-block grids that are resident at once beside one more; measured on an H200. */
	static final int MAX_KERNELS = 127;

	private CoResidency() {
	}

	/**
	 * Checks that there is a place.
	 * @throws KernelLaunchException if there is none
	 */
	static void check(LoadedKernel kernel, Collection<LoadedKernel> running, int multiprocessors) {
		int capacity = kernel.blocksPerMultiprocessor() * multiprocessors;
		int blocks = kernel.grid().blocks();
		if (blocks > capacity) {
			throw new KernelLaunchException(kernel.id(),
					"its %d workers make %d blocks, and %d multiprocessors hold %d at once."
						.formatted(kernel.grid().workers(), blocks, multiprocessors, capacity),
					"Lower workers or threads-per-worker.", null);
		}
		if (running.size() + 1 > MAX_KERNELS) {
			throw new KernelLaunchException(kernel.id(),
					"%d kernels run already, and a device holds %d.".formatted(running.size(), MAX_KERNELS),
					"Terminate one.", null);
		}
		double taken = 0;
		for (LoadedKernel other : running) {
			taken += share(other, multiprocessors);
		}
		if (taken + share(kernel, multiprocessors) > 1) {
			throw new KernelLaunchException(kernel.id(),
					"its %d blocks take %.0f %% of the device, and %s take %.0f %%: together %.0f %%, where 100 %% is the limit."
						.formatted(blocks, 100 * share(kernel, multiprocessors),
								running.stream().map(LoadedKernel::id).toList(), 100 * taken,
								100 * (taken + share(kernel, multiprocessors))),
					"Lower the workers of one, or terminate one.", null);
		}
	}

	private static double share(LoadedKernel kernel, int multiprocessors) {
		return (double) kernel.grid().blocks() / (kernel.blocksPerMultiprocessor() * multiprocessors);
	}

}
