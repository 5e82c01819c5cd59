package io.ringkernel.observe;

import io.ringkernel.backend.KernelRegion;

/**
 * What can be read of a launch while it runs. Nothing here waits or calls a driver.
 *
 * @since 0.2.0
 */
public interface ObservedSession {

	/**
	 * The memory of the launch.
	 * @return its control block and ring
	 */
	KernelRegion region();

	/**
	 * How many workers run now.
	 * @return a count from 0 to the kernel's workers
	 */
	int activeWorkers();

	/**
	 * How much memory of a device the launch holds besides its ring.
	 * @return bytes
	 */
	long deviceMemoryBytes();

	/**
	 * For how long the oldest request has been waited for.
	 * @param now the present {@link System#nanoTime}
	 * @return nanoseconds; 0 if nothing is waited for
	 */
	long oldestAge(long now);

}
