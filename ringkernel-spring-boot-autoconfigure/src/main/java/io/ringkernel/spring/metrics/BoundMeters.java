package io.ringkernel.spring.metrics;

import java.util.HashMap;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelPlanChange;

/**
 * The meters of all kernels in one registry: those of a kernel that is run by another
 * plan are replaced, since their tags say which one it is.
 */
final class BoundMeters implements KernelListener {

	private final MeterRegistry registry;

	private final Map<Kernel<?, ?>, KernelMeters> meters = new HashMap<>();

	BoundMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	synchronized void bind(Kernel<?, ?> kernel) {
		ExecutionPlan plan = kernel.status().plan();
		KernelMeters before = this.meters.get(kernel);
		if (before != null && before.areOf(plan)) {
			return;
		}
		if (before != null) {
			before.unbind();
		}
		KernelMeters now = new KernelMeters(kernel, plan, this.registry);
		now.bind();
		this.meters.put(kernel, now);
	}

	private synchronized boolean isBound(Kernel<?, ?> kernel) {
		return this.meters.containsKey(kernel);
	}

	@Override
	public void onEvent(KernelEvent event) {
		if (event instanceof KernelPlanChange && isBound(event.kernel())) {
			bind(event.kernel());
		}
	}

}
