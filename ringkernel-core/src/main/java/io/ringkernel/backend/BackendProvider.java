package io.ringkernel.backend;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * Makes a backend known; found by {@link java.util.ServiceLoader}.
 */
public interface BackendProvider {

	/**
	 * The kind of backend.
	 * @return the kind
	 */
	BackendKind kind();

	/**
	 * Looks at the platform and says how, or why not, kernels can be run on it. Takes
	 * less than 500 ms and never fails: what goes wrong is a reason to refuse.
	 * @param request what the configuration asks for
	 * @return a plan, or a refusal
	 */
	PlanOffer plan(PlanRequest request);

	/**
	 * Opens the backend.
	 * @param plan a plan of this provider's
	 * @return the backend
	 */
	Backend open(ExecutionPlan plan);

}
