package io.ringkernel.cuda.driver;

import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Whether a device is lost to this process, and why. What a kernel may still reach there
 * is then kept for ever. Any thread notes it and reads it.
 *
 * @since 0.2.0
 */
public final class DeviceLoss {

	private final IntSupplier devices;

	private volatile @Nullable Throwable cause;

	/**
	 * Creates it for a device that is not lost.
	 * @param devices how many devices the process has opened
	 */
	public DeviceLoss(IntSupplier devices) {
		this.devices = devices;
	}

	/**
	 * {@return whether a fault that the driver reports is certainly of this device:
	 * {@code false} if the process has opened another one too} The driver answers every
	 * call of the process with it (seen with driver 580), while the kernels of the other
	 * devices run on.
	 */
	public boolean isOfThisDevice() {
		return this.devices.getAsInt() == 1;
	}

	/**
	 * Notes that no kernel of the process can use the device any more.
	 * @param cause what was thrown
	 */
	public void note(Throwable cause) {
		this.cause = cause;
	}

	/**
	 * {@return why the device is lost; {@code null} if it is not}
	 */
	public @Nullable Throwable cause() {
		return this.cause;
	}

}
