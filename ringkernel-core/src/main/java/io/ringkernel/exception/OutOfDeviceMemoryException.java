package io.ringkernel.exception;

import org.jspecify.annotations.Nullable;

/**
 * A device has less free memory than was asked for. Nothing was allocated.
 *
 * @since 0.2.0
 */
public class OutOfDeviceMemoryException extends RingKernelException {

	private final long bytes;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel that the memory is for
	 * @param bytes how much was asked for
	 * @param cause what the driver has reported, or {@code null} if that was in another
	 * process
	 */
	public OutOfDeviceMemoryException(String kernelId, long bytes, @Nullable Throwable cause) {
		super(("The device of ring kernel '%s' has not %d B of free memory. Ask for less, free memory of the device, "
				+ "or set ringkernel.kernels.%1$s.devices to one that has more.")
			.formatted(kernelId, bytes), cause);
		this.bytes = bytes;
	}

	/**
	 * {@return how much was asked for, in bytes}
	 */
	public long bytes() {
		return this.bytes;
	}

}
