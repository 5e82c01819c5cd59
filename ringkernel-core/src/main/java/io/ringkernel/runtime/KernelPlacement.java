package io.ringkernel.runtime;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs a kernel: what was planned for it, or the best way that is left where the
 * platform did not do what that relies on. It is changed by one thread at a time, and
 * each launch begins with what was planned.
 */
final class KernelPlacement {

	private static final Logger logger = LoggerFactory.getLogger(KernelPlacement.class);

	private final Kernel<?, ?> kernel;

	private final KernelHost planned;

	private final KernelHost.Successors successors;

	private final KernelEvents events;

	private volatile KernelHost host;

	KernelPlacement(Kernel<?, ?> kernel, KernelHost planned, KernelHost.Successors successors, KernelEvents events) {
		this.kernel = kernel;
		this.planned = planned;
		this.successors = successors;
		this.events = events;
		this.host = planned;
	}

	/**
	 * How the kernel is run now.
	 */
	ExecutionPlan plan() {
		return this.host.plan();
	}

	/**
	 * Opens a session as it was planned or, where that cannot be, in the best way that is
	 * left.
	 */
	<I extends Record, O extends Record> KernelSession<I, O> open(SessionOpener<I, O> opener) {
		if (!this.host.equals(this.planned)) {
			logger.info("Ring kernel '{}' is launched on {} again", this.kernel.id(), name(this.planned));
			change(this.planned, false, "it is launched anew");
		}
		while (true) {
			try {
				return opener.open(this.host.backend());
			}
			catch (PlanFailedException ex) {
				KernelHost next = this.successors.after(this.host, ex);
				if (next == null) {
					throw noOtherPlan(this.kernel.id(), ex);
				}
				degrade(next, ex);
			}
		}
	}

	/**
	 * Has another loop go on where one has ended because its plan failed. What is queued
	 * stays in the ring, and is answered by that.
	 * @param start whether the kernel is active
	 * @return whether one goes on
	 */
	boolean takeOver(KernelSession<?, ?> session, PlanFailedException why, boolean start) {
		PlanFailedException latest = why;
		KernelHost next = this.successors.after(this.host, latest);
		while (next != null) {
			try {
				session.moveTo(next.backend(), start);
				degrade(next, why);
				return true;
			}
			catch (RuntimeException ex) {
				String reason = (ex instanceof PlanFailedException failed) ? failed.reason() : ex.getMessage();
				latest = new PlanFailedException(this.kernel.id(),
						"%s; and %s could not take over, because %s".formatted(latest.reason(), name(next), reason),
						ex);
				next = this.successors.after(next, latest);
			}
		}
		return false;
	}

	private void degrade(KernelHost next, PlanFailedException why) {
		logger.warn("Ring kernel '{}' is run on {} instead of {}, because {}", this.kernel.id(), name(next),
				name(this.host), why.reason());
		change(next, true, why.reason());
	}

	private void change(KernelHost next, boolean degraded, String reason) {
		KernelHost from = this.host;
		this.host = next;
		this.events.publish(new KernelPlanChange(this.kernel, from.plan(), next.plan(), degraded, reason));
	}

	static KernelLaunchException noOtherPlan(String kernelId, PlanFailedException why) {
		return new KernelLaunchException(kernelId, why.reason() + ".",
				"Set ringkernel.backend, ringkernel.mode and ringkernel.transport to auto.", why);
	}

	private static String name(KernelHost host) {
		ExecutionPlan plan = host.plan();
		return "%s, %s/%s".formatted(ConfiguredName.of(plan.backend()), ConfiguredName.of(plan.mode()),
				ConfiguredName.of(plan.transport()));
	}

}
