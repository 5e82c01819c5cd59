package io.ringkernel.platform;

import org.jspecify.annotations.Nullable;

/**
 * What the configuration asks for; {@code null} leaves the choice to the platform.
 *
 * @param backend the backend, or {@code null} for the best that is there
 * @param mode the execution mode, or {@code null} for the best that works
 * @param transport the transport, or {@code null} for the best that works
 * @param device the device, from 0, as its backend counts them
 * @since 0.1.0
 */
public record PlanRequest(@Nullable BackendKind backend, @Nullable ExecutionMode mode, @Nullable Transport transport,
		int device) {

	/** Leaves every choice to the platform, on the first device. */
	public static final PlanRequest AUTO = new PlanRequest(null, null, null);

	/**
	 * Creates a request for the first device.
	 * @param backend the backend, or {@code null} for the best that is there
	 * @param mode the execution mode, or {@code null} for the best that works
	 * @param transport the transport, or {@code null} for the best that works
	 */
	public PlanRequest(@Nullable BackendKind backend, @Nullable ExecutionMode mode, @Nullable Transport transport) {
		this(backend, mode, transport, 0);
	}

	/**
	 * {@return the same request for another device}
	 * @param device the device, from 0
	 * @since 0.2.0
	 */
	public PlanRequest on(int device) {
		return new PlanRequest(this.backend, this.mode, this.transport, device);
	}

}
