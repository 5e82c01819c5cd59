package io.ringkernel.test.fault;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * Offers the faulty backend: as the CPU, and to who demands a device also as one, so that
 * an application with such a configuration can be tested anywhere.
 */
record FaultInjectingProvider(BackendKind kind, Function<String, KernelFaults> faultsOf) implements BackendProvider {

	/** What a plan of this provider is known by. */
	static final String MARK = "faults";

	@Override
	public PlanOffer plan(PlanRequest request) {
		if (this.kind == BackendKind.CPU) {
			PlanOffer offer = new CpuBackendProvider().plan(request);
			return (offer instanceof PlanOffer.Accepted accepted) ? new PlanOffer.Accepted(marked(accepted.plan()))
					: offer;
		}
		if (request.backend() == null && request.transport() == null) {
			return new PlanOffer.Refused("a test injects faults, and a device was not demanded",
					"Set ringkernel.backend to cuda.");
		}
		return new PlanOffer.Accepted(marked(
				new ExecutionPlan(this.kind, (request.mode() != null) ? request.mode() : ExecutionMode.PERSISTENT,
						(request.transport() != null) ? request.transport() : Transport.MAPPED, List.of(), Map.of())));
	}

	private static ExecutionPlan marked(ExecutionPlan plan) {
		List<String> reasons = new ArrayList<>(plan.reasons());
		reasons.add("Java threads run the kernels, so that a test can inject faults");
		Map<String, String> platform = new HashMap<>(plan.platform());
		platform.put(MARK, "injected by a test");
		return new ExecutionPlan(plan.backend(), plan.mode(), plan.transport(), plan.device(), plan.answersPerLaunch(),
				reasons, platform);
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new FaultInjectingBackend(plan.mode(), this.faultsOf);
	}

}
