package io.ringkernel.observe;

import java.util.List;

import io.ringkernel.control.ControlDump;
import io.ringkernel.ring.RingDump;

/**
 * What lies in the memory of a kernel while it runs.
 *
 * @param control its control block
 * @param ring its ring
 * @param violations what contradicts the protocol, in the ring or the control block, a
 * sentence each; empty for a kernel that is sound
 * @since 0.1.0
 */
public record KernelDump(ControlDump control, RingDump ring, List<String> violations) {

	/**
	 * Creates the dump.
	 * @param control its control block
	 * @param ring its ring
	 * @param violations what contradicts the protocol
	 */
	public KernelDump {
		violations = List.copyOf(violations);
	}

}
