package io.ringkernel.platform;

import java.util.Set;

/**
 * A kernel host has ended without being asked to.
 *
 * @param pid the process that has ended
 * @param reason how it has ended, and why: a clause
 * @param atWork the ids of the kernels that may have been handling a request, or were
 * being loaded, when a fault ended it; empty if something else ended it
 * @since 0.2.0
 */
public record KernelHostLost(long pid, String reason, Set<String> atWork) implements HostEvent {

	/**
	 * Creates the event.
	 * @param pid the process that has ended
	 * @param reason how it has ended, and why: a clause
	 * @param atWork the kernels that may have been handling a request, or were being
	 * loaded
	 */
	public KernelHostLost {
		atWork = Set.copyOf(atWork);
	}

}
