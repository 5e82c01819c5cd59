package io.ringkernel.runtime;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * A backend and how it runs kernels. Of two hosts that do alike each is another one.
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

	/**
	 * The same backend, and a plan with one more reason.
	 */
	PlannedBackend because(String reason) {
		List<String> reasons = new ArrayList<>(this.plan.reasons());
		reasons.add(reason);
		return new PlannedBackend(this.plan.withReasons(reasons), this.backend);
	}

	/**
	 * Where kernels are moved to.
	 */
	interface Successors {

		/**
		 * The host that comes after one whose plan has failed.
		 * @return the host; {@code null} if there is none that honours the configuration
		 */
		@Nullable PlannedBackend after(PlannedBackend failed, PlanFailedException why);

		/**
		 * The CPU, for a kernel that a device cannot run.
		 * @param why a clause
		 * @return the host; {@code null} if there is none that honours the configuration
		 */
		@Nullable PlannedBackend insteadOf(PlannedBackend device, String why);

		/**
		 * The other devices that the kernel may go on on if its own is lost, best first.
		 */
		List<PlannedBackend> spares();

		/**
		 * Whether the configuration admits the CPU in place of a device.
		 */
		boolean mayLeave(PlannedBackend device);

	}

}
