package io.ringkernel.runtime;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.backend.Backend;
import io.ringkernel.platform.ExecutionPlan;

/**
 * A backend and how it runs kernels.
 */
record PlannedBackend(ExecutionPlan plan, Backend backend) {

	/** The same backend, and a plan with one more reason. */
	PlannedBackend because(String reason) {
		List<String> reasons = new ArrayList<>(this.plan.reasons());
		reasons.add(reason);
		return new PlannedBackend(this.plan.withReasons(reasons), this.backend);
	}

}
