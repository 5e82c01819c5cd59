package io.ringkernel.cuda.transport;

/**
 * Carries the bytes of a ring to a device that does not reach the host's memory, and
 * back, around the launches of the kernel.
 * <p>
 * The methods that are steps are bounded: each ends, or throws, within a driver's
 * deadline, and what they throw fails the loop. A step may be called again although
 * nothing has changed. Those around a launch are called on the driver's thread, one after
 * another; the others say where.
 *
 * @since 0.2.0
 */
public interface Carrier {

	/**
	 * The step of a launch: the kernel is to find what was published before this call,
	 * and the host's line of the control block.
	 * @param kernel puts the kernel on its stream
	 * @return whether the kernel was seen to have ended already
	 */
	boolean launch(Runnable kernel);

	/**
	 * The step beside a kernel that was launched and not seen to end. Called by the
	 * watcher of the loop.
	 * @return whether anything was carried: then more may follow at once
	 */
	boolean whileRunning();

	/**
	 * The step after a kernel has ended: what it has answered is to be seen by the host
	 * when this returns. Not called after a fault of the device.
	 */
	void afterEnd();

	/**
	 * The step before nothing happens for a while: what the workers have told is to be
	 * seen by the host when this returns. Called on any thread, while the kernel is out.
	 */
	void settle();

	/**
	 * The host's line of the control block has changed: a kernel that runs is to find the
	 * command soon.
	 */
	void onCommand();

}
