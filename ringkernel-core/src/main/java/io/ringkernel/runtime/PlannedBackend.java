package io.ringkernel.runtime;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.backend.Backend;
import io.ringkernel.platform.ExecutionPlan;

/**
 * A backend and how it runs kernels. Compared by identity; the JDK would also keep the
 * types that a record compares, and with them the class loader of an application.
 */
final class PlannedBackend {

	private final ExecutionPlan plan;

	private final Backend backend;

	PlannedBackend(ExecutionPlan plan, Backend backend) {
		this.plan = plan;
		this.backend = backend;
	}

	ExecutionPlan plan() {
		return this.plan;
	}

	Backend backend() {
		return this.backend;
	}

	/** The same backend, and a plan with one more reason. */
	PlannedBackend because(String reason) {
		List<String> reasons = new ArrayList<>(this.plan.reasons());
		reasons.add(reason);
		return new PlannedBackend(this.plan.withReasons(reasons), this.backend);
	}

}
