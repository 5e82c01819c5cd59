package io.ringkernel.platform;

import java.util.List;
import java.util.Map;

/**
 * How kernels are run on this platform, and why.
 *
 * @param backend what runs the device loop
 * @param mode how the loop is kept running
 * @param transport how bytes get to it
 * @param device the device, from 0, as its backend counts them
 * @param answersPerLaunch whether the host sees all responses of a launch when the launch
 * ends, and the launch sees nothing of the host before. A slow request then holds up the
 * requests of its launch, the requests that are sent meanwhile, and commands. Otherwise
 * it holds up its own worker only
 * @param reasons a sentence for each decision, in the order in which they were taken
 * @param platform what was found, as names and values for display
 * @since 0.1.0
 */
public record ExecutionPlan(BackendKind backend, ExecutionMode mode, Transport transport, int device,
		boolean answersPerLaunch, List<String> reasons, Map<String, String> platform) {

	/**
	 * Creates the plan.
	 * @param backend what runs the device loop
	 * @param mode how the loop is kept running
	 * @param transport how bytes get to it
	 * @param device the device, from 0
	 * @param answersPerLaunch whether all requests of a launch are answered when it ends
	 * @param reasons a sentence for each decision
	 * @param platform what was found
	 */
	public ExecutionPlan {
		reasons = List.copyOf(reasons);
		platform = Map.copyOf(platform);
	}

	/**
	 * Creates a plan for the first device, under which each request is answered as soon
	 * as it was handled.
	 * @param backend what runs the device loop
	 * @param mode how the loop is kept running
	 * @param transport how bytes get to it
	 * @param reasons a sentence for each decision
	 * @param platform what was found
	 */
	public ExecutionPlan(BackendKind backend, ExecutionMode mode, Transport transport, List<String> reasons,
			Map<String, String> platform) {
		this(backend, mode, transport, 0, false, reasons, platform);
	}

	/**
	 * {@return the same plan for other reasons}
	 * @param reasons a sentence for each decision
	 */
	public ExecutionPlan withReasons(List<String> reasons) {
		return new ExecutionPlan(this.backend, this.mode, this.transport, this.device, this.answersPerLaunch, reasons,
				this.platform);
	}

}
