package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.KernelStatus;

/**
 * Kernels and plans as names and raw values, the same for health and endpoint.
 */
final class KernelDetails {

	private KernelDetails() {
	}

	static Map<String, Object> of(KernelStatus status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state().name());
		addChoices(details, status.plan());
		details.put("processed", status.processed());
		details.put("failed", status.failed());
		details.put("timedOut", status.timedOut());
		details.put("rejected", status.rejected());
		details.put("inFlight", status.inFlight());
		details.put("slots", status.slots());
		details.put("memoryBytes", status.memoryBytes());
		details.put("workers", status.workers());
		details.put("activeWorkers", status.activeWorkers());
		details.put("heartbeat", status.heartbeat());
		details.put("loopLaunches", status.loopLaunches());
		details.put("reasons", status.plan().reasons());
		if (status.lastFailure() != null) {
			details.put("lastFailure", status.lastFailure());
		}
		return details;
	}

	static Map<String, Object> of(ExecutionPlan plan) {
		Map<String, Object> details = new LinkedHashMap<>();
		addChoices(details, plan);
		details.put("reasons", plan.reasons());
		return details;
	}

	private static void addChoices(Map<String, Object> details, ExecutionPlan plan) {
		details.put("backend", ConfiguredName.of(plan.backend()));
		details.put("mode", ConfiguredName.of(plan.mode()));
		details.put("transport", ConfiguredName.of(plan.transport()));
	}

}
