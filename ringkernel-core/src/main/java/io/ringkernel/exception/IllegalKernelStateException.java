package io.ringkernel.exception;

import io.ringkernel.KernelState;

/**
 * A lifecycle operation is not allowed in the kernel's present state. Nothing was
 * changed.
 *
 * @since 0.1.0
 */
public class IllegalKernelStateException extends RingKernelException {

	private final KernelState from;

	private final KernelState to;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param from the state it is in
	 * @param to the state that was asked for
	 */
	public IllegalKernelStateException(String kernelId, KernelState from, KernelState to) {
		super("Ring kernel '%s' cannot go from %s to %s.".formatted(kernelId, from, to), null);
		this.from = from;
		this.to = to;
	}

	/**
	 * {@return the state that the kernel is in}
	 */
	public KernelState from() {
		return this.from;
	}

	/**
	 * {@return the state that was asked for}
	 */
	public KernelState to() {
		return this.to;
	}

}
