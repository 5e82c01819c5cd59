package io.ringkernel.exception;

import java.time.Duration;

import io.ringkernel.Durations;

/**
 * No slot of the ring was free: at once where the kernel rejects when full, or for the
 * whole timeout where it blocks. Nothing was sent.
 *
 * @since 0.1.0
 */
public class RingFullException extends RingKernelException {

	private final int ringSize;

	private final int inFlight;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param ringSize the slots of its ring
	 * @param inFlight the slots in use
	 * @param waited how long a free slot was waited for
	 */
	public RingFullException(String kernelId, int ringSize, int inFlight, Duration waited) {
		super(("The ring of kernel '%s' is full: %d of %d slots are in flight and none became free within %s. "
				+ "Send fewer requests at once, raise ring-memory, or add workers.")
			.formatted(kernelId, inFlight, ringSize, Durations.format(waited)), null);
		this.ringSize = ringSize;
		this.inFlight = inFlight;
	}

	/**
	 * {@return the slots of the ring}
	 */
	public int ringSize() {
		return this.ringSize;
	}

	/**
	 * {@return the slots that were in use}
	 */
	public int inFlight() {
		return this.inFlight;
	}

}
