package io.ringkernel.sample.stream;

import java.util.List;
import java.util.Map;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * Java threads that pass for a device, in the kernel host that is lost with its state.
 */
final class ThreadsDevice implements BackendProvider {

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED,
				request.device(), false, List.of("threads pass for a device"), Map.of()));
	}

	@Override
	public boolean compilesHandlers() {
		return true;
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new CpuBackend(plan.mode());
	}

}
