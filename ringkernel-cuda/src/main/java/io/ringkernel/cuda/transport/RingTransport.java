package io.ringkernel.cuda.transport;

import io.ringkernel.cuda.driver.DevicePointer;

/**
 * How the ring of one session gets to the device. If the device does not reach the host's
 * memory itself, the transport carries the bytes of the ring there and back, around the
 * launches of the kernel.
 * <p>
 * The methods that are steps are bounded: each ends, or throws, within a driver's
 * deadline, and what they throw fails the loop. A step may be called again although
 * nothing has changed. Those around a launch are called on the driver's thread, one after
 * another; the others say where. If nothing is carried, there is nothing to do.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface RingTransport {

	/** Where the kernel finds the memory, the control block at its start. */
	DevicePointer memory();

	/** Whether bytes are carried: the device does not reach the host's memory itself. */
	default boolean carries() {
		return false;
	}

	/**
	 * The step of a launch: the kernel is to find what was published before this call,
	 * and the host's line of the control block.
	 * @param kernel puts the kernel on its stream
	 * @return whether the kernel was seen to have ended already
	 */
	default boolean launch(Runnable kernel) {
		kernel.run();
		return false;
	}

	/**
	 * The step beside a kernel that was launched and not seen to end. Called by the
	 * watcher of the loop. Returns whether anything was carried: then more may follow at
	 * once.
	 */
	default boolean whileRunning() {
		return false;
	}

	/**
	 * The step after a kernel has ended: what it has answered is to be seen by the host
	 * when this returns. Not called after a fault of the device.
	 */
	default void afterEnd() {
	}

	/**
	 * The step before nothing happens for a while: what the workers have told is to be
	 * seen by the host when this returns. Called on any thread, while the kernel is out.
	 */
	default void settle() {
	}

	/**
	 * The host's line of the control block has changed: a kernel that runs is to find the
	 * command soon.
	 */
	default void onCommand() {
	}

	/**
	 * Gives back what the transport holds itself. Only called once no launch can reach
	 * it; other kernels may run.
	 */
	default void release() {
	}

}
