package io.ringkernel.cuda.loop;

import io.ringkernel.exception.RingKernelException;

/**
 * When a kernel is launched, and how its end is seen.
 */
interface LaunchStrategy {

	/**
	 * The kernel is wanted: launches it, or sees to it that it is launched when it is
	 * needed, or has ended.
	 * @throws RingKernelException if the driver refuses
	 */
	void bringUp();

	/**
	 * A launch is not on the device any more. Called on the driver's thread, or where
	 * that does not return on any other.
	 * @param byItself whether the kernel was not asked to end
	 */
	void onEnd(boolean byItself);

	/**
	 * Looks, if that was not done lately, whether the kernel and the driver show any
	 * life. Called by threads that wait for the kernel; waits for nothing.
	 */
	void look();

	/** Has the end of the kernel seen soon. Waits for nothing. */
	void lookForEnd();

	/** Whether the look that was asked for may still come to an end. */
	boolean isLooking();

	/** A request was published. */
	void doorbell();

	/** The loop is closed and its kernel has ended. */
	void close();

}
