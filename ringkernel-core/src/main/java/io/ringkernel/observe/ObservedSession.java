package io.ringkernel.observe;

import io.ringkernel.backend.KernelRegion;

/**
 * What can be read of a launch while it runs. Nothing here waits or calls a driver.
 *
 * @since 0.2.0
 */
public interface ObservedSession {

	/**
	 * {@return the memory of the launch: its control block and ring}
	 */
	KernelRegion region();

	/**
	 * {@return how many workers run now, from 0 to the kernel's workers}
	 */
	int activeWorkers();

	/**
	 * {@return how many bytes of the memory of a device the launch holds besides its
	 * ring}
	 */
	long deviceMemoryBytes();

	/**
	 * {@return for how long the oldest request has been waited for, in nanoseconds; 0 if
	 * nothing is waited for}
	 * @param now the present {@link System#nanoTime}
	 */
	long oldestAge(long now);

}
