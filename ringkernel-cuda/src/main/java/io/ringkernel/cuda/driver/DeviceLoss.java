package io.ringkernel.cuda.driver;

import org.jspecify.annotations.Nullable;

/**
 * Whether a device is lost to this process, and why. What a kernel may still reach there
 * is then kept for ever. Any thread notes it and reads it.
 *
 * @since 0.2.0
 */
public final class DeviceLoss {

	private volatile @Nullable Throwable cause;

	/**
	 * Creates it for a device that is not lost.
	 */
	public DeviceLoss() {
	}

	/**
	 * Notes that no kernel of the process can use the device any more.
	 * @param cause what was thrown
	 */
	public void note(Throwable cause) {
		this.cause = cause;
	}

	/**
	 * Why the device is lost.
	 * @return what was thrown; {@code null} if it is not lost
	 */
	public @Nullable Throwable cause() {
		return this.cause;
	}

}
