package io.ringkernel.spring.observation;

import io.micrometer.observation.Observation;
import io.ringkernel.platform.ExecutionPlan;

/**
 * What is known of a call to a ring kernel that is observed.
 *
 * @since 0.1.0
 */
public class RingKernelObservationContext extends Observation.Context {

	private final String kernelId;

	private final ExecutionPlan plan;

	private final String operation;

	/**
	 * Creates the context.
	 * @param kernelId the id of the kernel
	 * @param plan how the kernel is run when the call begins
	 * @param operation what is asked of its client: {@code call}, {@code call-all},
	 * {@code submit} or {@code send}
	 */
	public RingKernelObservationContext(String kernelId, ExecutionPlan plan, String operation) {
		this.kernelId = kernelId;
		this.plan = plan;
		this.operation = operation;
	}

	/**
	 * {@return the id of the kernel}
	 */
	public String kernelId() {
		return this.kernelId;
	}

	/**
	 * {@return how the kernel was run when the call began}
	 */
	public ExecutionPlan plan() {
		return this.plan;
	}

	/**
	 * What is asked of the kernel's client.
	 * @return {@code call}, {@code call-all}, {@code submit} or {@code send}
	 */
	public String operation() {
		return this.operation;
	}

}
