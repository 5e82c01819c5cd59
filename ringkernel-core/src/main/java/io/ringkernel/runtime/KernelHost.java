package io.ringkernel.runtime;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * A backend and how it runs kernels. Of two hosts that do alike each is another one.
 */
final class KernelHost {

	private final ExecutionPlan plan;

	private final Backend backend;

	KernelHost(ExecutionPlan plan, Backend backend) {
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
