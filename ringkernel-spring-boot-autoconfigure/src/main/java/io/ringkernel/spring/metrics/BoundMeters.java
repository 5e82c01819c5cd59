package io.ringkernel.spring.metrics;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.KernelRemoval;

/**
 * The meters of all kernels in one registry; those of a kernel with replicas are the
 * meters of its replicas. A kernel that starts later gets its meters then, and one that
 * the runtime forgets loses them. Timers and gauges of a kernel that is run by another
 * plan are replaced, since their tags say which one it is.
 */
final class BoundMeters implements KernelListener {

	private final MeterRegistry registry;

	private final Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels;

	private final Map<Kernel<?, ?>, KernelMeters> meters = new HashMap<>();

	private final Map<Kernel<?, ?>, KernelCounters> counters = new HashMap<>();

	BoundMeters(MeterRegistry registry, Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels) {
		this.registry = registry;
		this.kernels = kernels;
	}

	void bindAll() {
		replicas().forEach(this::bind);
	}

	private Stream<Kernel<?, ?>> replicas() {
		return this.kernels.get().stream().flatMap((kernel) -> kernel.replicas().stream());
	}

	private synchronized void bind(Kernel<?, ?> kernel) {
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
		this.counters.computeIfAbsent(kernel, (it) -> new KernelCounters(it, this.registry))
			.countUnder(KernelMeters.tags(kernel, plan));
	}

	private synchronized void unbind(Kernel<?, ?> kernel) {
		KernelMeters removed = this.meters.remove(kernel);
		if (removed != null) {
			removed.unbind();
		}
		KernelCounters counted = this.counters.remove(kernel);
		if (counted != null) {
			counted.unbind();
		}
	}

	private synchronized boolean isBound(Kernel<?, ?> kernel) {
		return this.meters.containsKey(kernel);
	}

	@Override
	public void onEvent(KernelEvent event) {
		Kernel<?, ?> kernel = event.kernel();
		if (event instanceof KernelRemoval) {
			unbind(kernel);
		}
		else if (event instanceof KernelPlanChange) {
			if (isBound(kernel)) {
				bind(kernel);
			}
		}
		else if (!isBound(kernel) && replicas().anyMatch(kernel::equals)) {
			bind(kernel);
		}
	}

}
