package io.ringkernel.spring;

import io.ringkernel.platform.HostEvent;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.KernelStateChange;
import io.ringkernel.runtime.KernelStateRecovery;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens to kernels as application events, among them
 * {@link KernelStateRecovery}, and what happens to kernel hosts as
 * {@link io.ringkernel.platform.KernelHostLost KernelHostLost},
 * {@link io.ringkernel.platform.KernelHostRestarted KernelHostRestarted} and
 * {@link io.ringkernel.platform.KernelQuarantined KernelQuarantined}.
 *
 * @since 0.1.0
 */
public class KernelEventPublisher implements KernelListener {

	private final ApplicationEventPublisher publisher;

	/**
	 * Creates the listener.
	 * @param publisher where events are published
	 */
	public KernelEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onEvent(KernelEvent event) {
		if (event instanceof KernelStateChange change) {
			this.publisher.publishEvent(new KernelStateChangedEvent(change));
		}
		else if (event instanceof KernelPlanChange change) {
			this.publisher.publishEvent(new KernelPlanChangedEvent(change));
		}
		else if (event instanceof KernelStateRecovery recovery) {
			this.publisher.publishEvent(recovery);
		}
	}

	@Override
	public void onHostEvent(HostEvent event) {
		this.publisher.publishEvent(event);
	}

}
