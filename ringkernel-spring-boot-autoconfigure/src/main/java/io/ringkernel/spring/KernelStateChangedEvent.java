package io.ringkernel.spring;

import io.ringkernel.KernelState;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelStateChange;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;

/**
 * Published when a ring kernel has gone from one state to another. Events of one
 * application come in the order in which things happened, on a thread of their own: a
 * listener holds up later events only, and may for example relaunch the kernel.
 *
 * @since 0.1.0
 */
public class KernelStateChangedEvent extends ApplicationEvent {

	private final transient KernelStateChange change;

	/**
	 * Creates the event.
	 * @param change what has happened
	 */
	public KernelStateChangedEvent(KernelStateChange change) {
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
	 * {@return the state that the kernel left}
	 */
	public KernelState getFrom() {
		return this.change.from();
	}

	/**
	 * {@return the state that the kernel came to}
	 */
	public KernelState getTo() {
		return this.change.to();
	}

	/**
	 * {@return why the kernel failed; {@code null} if it did not fail}
	 */
	public @Nullable Throwable getCause() {
		return this.change.cause();
	}

	@Override
	public String toString() {
		return this.change.toString();
	}

}
