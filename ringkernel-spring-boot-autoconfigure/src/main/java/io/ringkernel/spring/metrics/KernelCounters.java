package io.ringkernel.spring.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.runtime.Kernel;

/**
 * The counters of one kernel in one registry. Those under the tags of a plan count while
 * the kernel is run by it, and keep their count when it goes on by another plan: a
 * registry that publishes differences would publish a count anew with each new counter,
 * and would never publish the last one of a counter that is taken out.
 */
final class KernelCounters {

	private final Kernel<?, ?> kernel;

	private final MeterRegistry registry;

	private final Map<Tags, List<PlanCounter>> plans = new HashMap<>();

	private List<PlanCounter> counting = List.of();

	KernelCounters(Kernel<?, ?> kernel, MeterRegistry registry) {
		this.kernel = kernel;
		this.registry = registry;
	}

	/**
	 * Counts under some tags from now on.
	 * @param tags those of the plan that the kernel is run by
	 */
	void countUnder(Tags tags) {
		List<PlanCounter> next = this.plans.computeIfAbsent(tags, this::bind);
		if (!next.equals(this.counting)) {
			for (int i = 0; i < next.size(); i++) {
				next.get(i).resume(this.counting.isEmpty() ? 0 : this.counting.get(i).pause());
			}
			this.counting = next;
		}
	}

	/** Takes the counters out of the registry, and no other's. */
	void unbind() {
		this.plans.values().forEach((counters) -> counters.forEach((it) -> this.registry.remove(it.meter)));
	}

	private List<PlanCounter> bind(Tags tags) {
		List<PlanCounter> counters = new ArrayList<>();
		bind(counters, tags, "ringkernel.requests.processed", "Requests that were answered, in whichever way",
				KernelStatus::processed);
		bind(counters, tags, "ringkernel.requests.failed", "Requests on which the handler failed",
				KernelStatus::failed);
		bind(counters, tags, "ringkernel.requests.timed.out", "Requests that were not answered in time",
				KernelStatus::timedOut);
		bind(counters, tags, "ringkernel.requests.rejected", "Requests that were not sent because the ring was full",
				KernelStatus::rejected);
		bind(counters, tags, "ringkernel.requests.lost",
				"Requests that may have been begun when their device was lost, and were not handled again",
				KernelStatus::lost);
		bind(counters, tags, "ringkernel.requests.replayed",
				"Requests that may have been begun when their device was lost, and were handled again",
				KernelStatus::replayed);
		bind(counters, tags, "ringkernel.launches", "Launches and resumptions of the loop or one of its workers",
				KernelStatus::loopLaunches);
		bind(counters, tags, "ringkernel.restarts", "Launches of the kernel after the first", KernelStatus::restarts);
		return counters;
	}

	private void bind(List<PlanCounter> counters, Tags tags, String name, String description,
			ToDoubleFunction<KernelStatus> value) {
		counters.add(new PlanCounter(name, description, tags, value));
	}

	/** What one counter of the kernel counts under one plan. */
	private final class PlanCounter {

		private final ToDoubleFunction<KernelStatus> value;

		private final FunctionCounter meter;

		private boolean isCounting;

		/** What the kernel has counted that does not belong to this plan. */
		private double others;

		/** What this plan had counted when another one took over. */
		private double kept;

		PlanCounter(String name, String description, Tags tags, ToDoubleFunction<KernelStatus> value) {
			this.value = value;
			this.meter = FunctionCounter.builder(name, this, PlanCounter::count)
				.description(description)
				.tags(tags)
				.register(KernelCounters.this.registry);
		}

		private double ofKernel() {
			return this.value.applyAsDouble(KernelCounters.this.kernel.status());
		}

		synchronized double count() {
			return this.isCounting ? ofKernel() - this.others : this.kept;
		}

		/** Ends the counting, and returns what the kernel has counted by now. */
		synchronized double pause() {
			double now = ofKernel();
			this.kept = now - this.others;
			this.isCounting = false;
			return now;
		}

		/**
		 * Goes on to count.
		 * @param counted what the kernel had counted when the plan before ended
		 */
		synchronized void resume(double counted) {
			this.others = counted - this.kept;
			this.isCounting = true;
		}

	}

}
