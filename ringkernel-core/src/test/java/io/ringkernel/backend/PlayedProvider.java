package io.ringkernel.backend;

import java.util.List;
import java.util.Map;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * A provider with one plan, which it offers whatever is asked, and one backend.
 *
 * @param plan the plan
 * @param backend the backend
 */
public record PlayedProvider(ExecutionPlan plan, Backend backend) implements BackendProvider {

	/**
	 * A backend that passes for Java threads.
	 */
	public static PlayedProvider cpu(Backend backend) {
		return new PlayedProvider(plan(BackendKind.CPU, Transport.DIRECT), backend);
	}

	/**
	 * A backend that passes for a device.
	 */
	public static PlayedProvider device(Backend backend) {
		return new PlayedProvider(plan(BackendKind.CUDA, Transport.MAPPED), backend);
	}

	private static ExecutionPlan plan(BackendKind kind, Transport transport) {
		return new ExecutionPlan(kind, ExecutionMode.PERSISTENT, transport, List.of("it is played"), Map.of());
	}

	@Override
	public BackendKind kind() {
		return this.plan.backend();
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return new PlanOffer.Accepted(this.plan);
	}

	@Override
	public Backend open(ExecutionPlan chosen) {
		return this.backend;
	}

}
