package io.ringkernel.backend;

import java.util.Optional;

import io.ringkernel.exception.KernelLaunchException;
import org.jspecify.annotations.Nullable;

/**
 * Supplies memory for rings and the loops that serve them.
 *
 * @since 0.1.0
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
	 * Takes memory that another process shares, and that this one has mapped, for loops
	 * of this backend.
	 * @param shared the memory: whole pages, zeroed, laid out by the other process
	 * @return the memory to lay a {@linkplain KernelRegion region} over; it is closed in
	 * place of the other
	 * @throws UnsupportedOperationException if the loops of this backend need memory of
	 * their own
	 * @since 0.2.0
	 */
	default RingMemory adopt(RingMemory shared) {
		return shared;
	}

	/**
	 * Validates and loads a kernel, but does not start it. Its loop answers each request
	 * that is published and not answered, and leaves answered requests alone:
	 * {@link io.ringkernel.ring.order.ServingOrder} says where it looks. So a ring may be
	 * fresh or have been served by another loop, which is {@link KernelRegion#before}. A
	 * request that this one had begun without answering it is begun anew; that happens
	 * only if a device ended it by force. What it holds may go over to the new loop, and
	 * it is closed in any case.
	 * @param <I> the request
	 * @param <O> the response
	 * @param kernel the kernel
	 * @param region its memory, laid out: as {@link #allocate} returned it or, where
	 * another loop has served it, perhaps that of another backend
	 * @return the loop
	 * @throws UnsupportedOperationException if this backend cannot go on with the ring of
	 * that loop; the ring is untouched
	 * @throws KernelLaunchException if the kernel cannot run: what was checked, the
	 * value, the limit and the remedy
	 */
	<I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region);

	/**
	 * Does in advance what the next load of a kernel takes long for: compiles its image
	 * and loads it into the device. The ring is neither read nor written, so another loop
	 * may serve it meanwhile. It stays done whether the kernel is loaded or not.
	 * @param kernel the kernel
	 * @param memory its memory
	 * @throws UnsupportedOperationException if this backend can never load the kernel
	 * over that memory
	 * @throws KernelLaunchException if the kernel cannot run
	 * @since 0.2.0
	 */
	default void prepare(KernelSpec<?, ?> kernel, RingMemory memory) {
	}

	/**
	 * Allocates memory of the device, in the process that uses the device; what it holds
	 * is not defined.
	 * @param kernelId the kernel that it is for
	 * @param bytes how much; positive
	 * @return the memory; nothing if handlers read the memory of the application itself
	 * @throws io.ringkernel.exception.OutOfDeviceMemoryException if the device has less
	 * @throws DeviceLostException if the device is lost
	 * @since 0.2.0
	 */
	default Optional<DeviceMemory> allocateOnDevice(String kernelId, long bytes) {
		return Optional.empty();
	}

	/**
	 * {@return why nothing can run on this backend any more; {@code null} while it is
	 * sound. Known without asking a driver}
	 */
	default @Nullable Throwable failure() {
		return null;
	}

	/**
	 * {@return whether a lost device may be {@linkplain #recover got back} while the
	 * application runs}
	 * @since 0.2.0
	 */
	default boolean isRecoverable() {
		return false;
	}

	/**
	 * Gets back what was lost, if it is: a process that has ended is started again. Takes
	 * as long as that does; the kernel runs elsewhere meanwhile. Called by one thread at
	 * a time for each kernel.
	 * @param kernelId the kernel that is to be loaded next
	 * @return whether it may be loaded now; if not, it is worth trying again later
	 * @since 0.2.0
	 */
	default boolean recover(String kernelId) {
		return false;
	}

	/** Gives back what the backend itself holds. Loops and memory are closed before. */
	@Override
	void close();

}
