package io.ringkernel.spring;

import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelPlanChange;

import org.springframework.context.ApplicationEvent;

/**
 * Published when a ring kernel is run in another way than before: degraded, because the
 * platform did not do what the plan relies on, or back to what was planned for it. It
 * comes as {@link KernelStateChangedEvent} does.
 *
 * @since 0.1.0
 */
public class KernelPlanChangedEvent extends ApplicationEvent {

	private final transient KernelPlanChange change;

	/**
	 * Creates the event.
	 * @param change what has happened
	 */
	public KernelPlanChangedEvent(KernelPlanChange change) {
		super(change.kernel());
		this.change = change;
	}

	/**
	 * {@return the kernel, which may have moved on since}
	 */
	public Kernel<?, ?> getKernel() {
		return this.change.kernel();
	}

	/**
	 * {@return how the kernel was run before}
	 */
	public ExecutionPlan getFrom() {
		return this.change.from();
	}

	/**
	 * {@return how the kernel is run now}
	 */
	public ExecutionPlan getTo() {
		return this.change.to();
	}

	/**
	 * Whether the kernel now gets less than what was planned for it.
	 * @return {@code false} once it is back to that
	 */
	public boolean isDegraded() {
		return this.change.degraded();
	}

	/**
	 * Whether the kernel goes on with the state that it kept on the device.
	 * @return {@code false} if it has left the device or was launched anew, and begins
	 * with fresh state
	 * @since 0.2.0
	 */
	public boolean isStateKept() {
		return this.change.isStateKept();
	}

	/**
	 * {@return why it is run in another way: a sentence}
	 */
	public String getReason() {
		return this.change.reason();
	}

	@Override
	public String toString() {
		return this.change.toString();
	}

}
