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
	 * Notes that no kernel of the process can use the device any more.
	 */
	public void note(Throwable cause) {
		this.cause = cause;
	}

	/**
	 * Why the device is lost; {@code null} if it is not.
	 */
	public @Nullable Throwable cause() {
		return this.cause;
	}

}
