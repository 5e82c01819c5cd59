package io.ringkernel.backend;

import java.nio.ByteBuffer;

import io.ringkernel.runtime.Kernel;

/**
 * Memory of the device that a kernel runs on, in the process that uses the device: for
 * what is too large, or too often used, to travel in messages. A message carries its
 * {@link #address} as a {@code long}, and the handler reads there.
 * <p>
 * All of it may be used while kernels run; whether a kernel reads what is being written
 * is the caller's to order, by sending the request that uses it after the upload has
 * returned. A kernel that has read some of it before may still have that in its L1 cache:
 * upload new content to new memory, or let the handler read it with {@code __ldcg}. Safe
 * for use by any number of threads.
 * <p>
 * It goes with its process. A kernel that has come back to a device after a fault begins
 * with state that is zero, so it holds no address of memory that is {@linkplain #isLost()
 * lost}: allocate anew, and send the new addresses.
 *
 * @since 0.2.0
 * @see Kernel#allocate(long)
 */
public interface DeviceMemory extends AutoCloseable {

	/**
	 * {@return where the memory lies, as the device sees it; to be sent in messages}
	 */
	long address();

	/**
	 * {@return how many bytes it is}
	 */
	long bytes();

	/**
	 * Copies to the device; returns when it is there.
	 * @param offset where in this memory to begin, in bytes
	 * @param source what to copy, from its position to its limit; its position stays
	 * @throws IndexOutOfBoundsException if it does not fit
	 * @throws IllegalStateException if this memory has been closed
	 * @throws io.ringkernel.exception.RingKernelException if the copy fails
	 */
	void upload(long offset, ByteBuffer source);

	/**
	 * Copies from the device; returns when it is there.
	 * @param offset where in this memory to begin, in bytes
	 * @param target where to copy to, from its position to its limit; its position stays
	 * @throws IndexOutOfBoundsException if it is more than there is
	 * @throws IllegalStateException if this memory has been closed
	 * @throws io.ringkernel.exception.RingKernelException if the copy fails
	 */
	void download(long offset, ByteBuffer target);

	/**
	 * {@return whether the device has been lost to the process that has the memory, or
	 * that process has ended. Calls no driver}
	 */
	boolean isLost();

	/**
	 * Gives the memory back, at once if the device has memory pools. Without, the driver
	 * would block a thread that frees it while a kernel runs, so it goes back when none
	 * does. No request may use it any more.
	 */
	@Override
	void close();

}
