package io.ringkernel.runtime;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * A backend and how it runs kernels.
 *
 * @param plan how
 * @param backend what runs them
 */
record KernelHost(ExecutionPlan plan, Backend backend) {

	/**
	 * Where kernels are moved to.
	 */
	@FunctionalInterface
	interface Successors {

		/**
		 * The host that comes after one whose plan has failed.
		 * @return the host; {@code null} if there is none that honours the configuration
		 */
		@Nullable KernelHost after(KernelHost failed, PlanFailedException why);

	}

}
