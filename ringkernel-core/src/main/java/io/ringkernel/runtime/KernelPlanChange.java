package io.ringkernel.runtime;

import io.ringkernel.platform.ExecutionPlan;

/**
 * A kernel is run in another way than before: degraded, because the platform did not do
 * what the plan relies on, or back to what was planned for it.
 *
 * @param kernel the kernel; it may have moved on since
 * @param from how it was run before
 * @param to how it is run now
 * @param degraded whether that is less than what was planned for it
 * @param reason why: a sentence
 * @since 0.1.0
 */
public record KernelPlanChange(Kernel<?, ?> kernel, ExecutionPlan from, ExecutionPlan to, boolean degraded,
		String reason) implements KernelEvent {

	/**
	 * {@return whether the kernel goes on with the state that it kept on the device, so
	 * that nothing of it is lost} A kernel that leaves the device, or is launched anew,
	 * begins with fresh state.
	 * @since 0.2.0
	 */
	public boolean isStateKept() {
		return this.degraded && this.from.backend() == this.to.backend() && this.from.device() == this.to.device();
	}

}
