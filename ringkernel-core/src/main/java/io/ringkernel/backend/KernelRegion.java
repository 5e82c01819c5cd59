package io.ringkernel.backend;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;

/**
 * The memory of one kernel, laid out: the control block first, the ring behind it.
 *
 * @param memory the memory
 * @param control the control block in it
 * @param ring where the ring lies in it
 * @param host the host's half of the ring: what a loop that does not run all the time
 * looks at to see whether it is needed
 */
public record KernelRegion(RingMemory memory, ControlBlock control, RingLayout ring, HostRing host) {

	/**
	 * Creates the region, and the host's half of its ring.
	 * @param memory the memory
	 * @param control the control block in it, identified
	 * @param ring where the ring lies in it
	 */
	public KernelRegion(RingMemory memory, ControlBlock control, RingLayout ring) {
		this(memory, control, ring, new HostRing(memory.buffer(), ring, control.startPosition()));
	}

}
