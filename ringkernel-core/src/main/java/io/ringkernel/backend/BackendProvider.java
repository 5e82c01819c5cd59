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
	 * Says how kernels can be run where a plan of this provider's has failed after all.
	 * Takes no longer than {@link #plan} and never fails.
	 * @param failed the plan that has failed
	 * @param why what the platform did not do: a clause without a full stop
	 * @param request what the configuration asks for
	 * @return a plan that is still to be tried, or a refusal
	 */
	default PlanOffer planAfter(ExecutionPlan failed, String why, PlanRequest request) {
		return new PlanOffer.Refused(why, "Relaunch the kernel.");
	}

	/**
	 * Opens the backend.
	 * @param plan a plan of this provider's
	 * @return the backend
	 */
	Backend open(ExecutionPlan plan);

}
