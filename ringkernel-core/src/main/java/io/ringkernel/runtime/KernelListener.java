package io.ringkernel.runtime;

import io.ringkernel.platform.HostEvent;

/**
 * Is told what happens to the kernels of a {@link RingKernelRuntime}, and to the
 * processes that they run in. Events come one at a time, in the order in which they
 * happened, on a thread of their own: a listener that is slow holds up later events, but
 * no kernel, no caller and no response, and it may call kernels and their lifecycle
 * operations.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KernelListener {

	/**
	 * Tells what has happened.
	 * @param event what happened
	 */
	void onEvent(KernelEvent event);

	/**
	 * Tells what has happened to a kernel host.
	 * @param event what happened
	 * @since 0.2.0
	 */
	default void onHostEvent(HostEvent event) {
	}

}
