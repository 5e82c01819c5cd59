package io.ringkernel.platform;

import org.jspecify.annotations.Nullable;

/**
 * What the configuration asks for; {@code null} leaves the choice to the platform.
 *
 * @param backend the backend, or {@code null} for the best that is there
 * @param mode the execution mode, or {@code null} for the best that works
 * @param transport the transport, or {@code null} for the best that works
 */
public record PlanRequest(@Nullable BackendKind backend, @Nullable ExecutionMode mode, @Nullable Transport transport) {

	/** Leaves every choice to the platform. */
	public static final PlanRequest AUTO = new PlanRequest(null, null, null);

}
