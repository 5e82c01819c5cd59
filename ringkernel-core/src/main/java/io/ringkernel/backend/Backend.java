package io.ringkernel.backend;

import io.ringkernel.KernelLaunchException;
import org.jspecify.annotations.Nullable;

/**
 * Supplies memory for rings and the loops that serve them.
 */
public interface Backend extends AutoCloseable {

	/**
	 * Allocates memory that the host and the device loop share.
	 * @param kernel the kernel it is for
	 * @param bytes how much
	 * @return the memory, zeroed
	 * @throws KernelLaunchException if there is not as much
	 */
	RingMemory allocate(KernelSpec<?, ?> kernel, int bytes);

	/**
	 * Validates and loads a kernel, but does not start it.
	 * @param <I> the request
	 * @param <O> the response
	 * @param kernel the kernel
	 * @param region its memory, as {@link #allocate} returned it, with its parts laid out
	 * @return the loop
	 * @throws KernelLaunchException if the kernel cannot run: what was checked, the
	 * value, the limit and the remedy
	 */
	<I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region);

	/**
	 * Why nothing can run on this backend any more, if that is so. Known without asking a
	 * driver.
	 * @return the failure; {@code null} while it is sound
	 */
	default @Nullable Throwable failure() {
		return null;
	}

	/**
	 * Gives back what the backend itself holds. Loops and memory are closed before.
	 */
	@Override
	void close();

}
