package io.ringkernel.backend;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.ring.RingLayout;

/**
 * The memory of one kernel, laid out: the control block first, the ring behind it.
 *
 * @param memory the memory
 * @param control the control block in it
 * @param ring where the ring lies in it
 */
public record KernelRegion(RingMemory memory, ControlBlock control, RingLayout ring) {
}
