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
	 * Loads a loop that goes on with a ring where another one has left it. Each request
	 * that the other loop has answered is left alone; each that was published and is not
	 * answered is answered, the more so those that were published meanwhile. One that the
	 * other loop had begun without answering it, which happens only where a device ended
	 * it by force, is begun anew.
	 * @param <I> the request
	 * @param <O> the response
	 * @param kernel the kernel
	 * @param region its memory, perhaps that of another backend
	 * @param before the loop that has ended for good, for a {@link PlanFailedException};
	 * what it holds may go over to the new one, and it is closed in any case
	 * @return the loop, not started
	 * @throws RuntimeException if this backend cannot do that; the ring is untouched
	 */
	default <I extends Record, O extends Record> DeviceLoop takeOver(KernelSpec<I, O> kernel, KernelRegion region,
			DeviceLoop before) {
		throw new UnsupportedOperationException("this backend begins with fresh rings only");
	}

	/**
	 * Gives back what the backend itself holds. Loops and memory are closed before.
	 */
	@Override
	void close();

}
