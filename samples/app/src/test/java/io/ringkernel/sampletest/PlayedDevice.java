package io.ringkernel.sampletest;

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
 * A device that is there wherever this class is made a service; Java threads play it.
 */
public final class PlayedDevice implements BackendProvider {

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED,
				List.of("a device is played"), Map.of()));
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new CpuBackend(plan.mode());
	}

}
