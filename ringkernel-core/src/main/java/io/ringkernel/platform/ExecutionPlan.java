package io.ringkernel.platform;

import java.util.List;
import java.util.Map;

/**
 * How kernels are run on this platform, and why.
 *
 * @param backend what runs the device loop
 * @param mode how the loop is kept running
 * @param transport how bytes get to it
 * @param reasons a sentence for each decision, in the order in which they were taken
 * @param platform what was found, as names and values for display
 */
public record ExecutionPlan(BackendKind backend, ExecutionMode mode, Transport transport, List<String> reasons,
		Map<String, String> platform) {

	/**
	 * Creates the plan.
	 * @param backend what runs the device loop
	 * @param mode how the loop is kept running
	 * @param transport how bytes get to it
	 * @param reasons a sentence for each decision
	 * @param platform what was found
	 */
	public ExecutionPlan {
		reasons = List.copyOf(reasons);
		platform = Map.copyOf(platform);
	}

}
