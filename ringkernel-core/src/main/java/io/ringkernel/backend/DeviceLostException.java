package io.ringkernel.backend;

import org.jspecify.annotations.Nullable;

/**
 * The process has lost the device that a kernel was planned for; the kernel itself is
 * sound, and has ended. What it kept on the device is lost.
 *
 * @since 0.2.0
 */
public class DeviceLostException extends PlanFailedException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param reason how the device was lost: a clause without a full stop
	 * @param cause how that showed, if by an exception
	 */
	public DeviceLostException(String kernelId, String reason, @Nullable Throwable cause) {
		super(kernelId, "this process has lost the device: " + reason,
				"Restart the application to use the device again.", cause);
	}

	/**
	 * Creates the exception for a device that was used by another process, which a new
	 * one can replace.
	 * @param kernelId the kernel
	 * @param reason how the device was lost: a clause without a full stop
	 * @param remedy what gets it back: a sentence
	 */
	public DeviceLostException(String kernelId, String reason, String remedy) {
		super(kernelId, reason, remedy, null);
	}

	/**
	 * {@return the exception of a kernel that loses what it keeps on the device each time
	 * that a call stores it again}
	 * @param kernelId the kernel
	 * @param lost what it loses, such as {@code its index}
	 * @param times how often it did in one call
	 */
	public static DeviceLostException repeatedly(String kernelId, String lost, int times) {
		return new DeviceLostException(kernelId, "it has lost %s %d times in one call".formatted(lost, times),
				"See why it is relaunched.");
	}

}
