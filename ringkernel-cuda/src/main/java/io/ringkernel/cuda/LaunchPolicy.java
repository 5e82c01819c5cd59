package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.platform.ExecutionMode;

/**
 * When a kernel is launched and when it ends.
 *
 * @param mode launched once, or whenever there is something to do
 * @param method how it is launched
 * @param iterationLimit how many requests a launch answers before it ends; 0 for any
 * number
 * @param idleBudgetNanos how long a launch finds nothing before it ends; 0 for for ever
 */
record LaunchPolicy(ExecutionMode mode, LaunchMethod method, long iterationLimit, long idleBudgetNanos) {

	/** A persistent kernel ends when it is told to, and at no other time. */
	static final LaunchPolicy PERSISTENT = new LaunchPolicy(ExecutionMode.PERSISTENT, LaunchMethod.KERNEL, 0, 0);

	/**
	 * An event-driven kernel ends by itself. A budget of zero means the shortest that
	 * there is: it ends when it finds nothing.
	 */
	static LaunchPolicy of(ExecutionMode mode, LaunchMethod method, KernelOptions options) {
		return (mode == ExecutionMode.PERSISTENT) ? PERSISTENT
				: new LaunchPolicy(mode, method, options.iterationLimit(), Math.max(1, options.idleBudget().toNanos()));
	}

	boolean isPersistent() {
		return this.mode == ExecutionMode.PERSISTENT;
	}

}
