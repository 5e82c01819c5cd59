package io.ringkernel.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * Makes the observations of one kernel's clients.
 */
final class ClientObservations {

	private static final RingKernelObservationConvention DEFAULT = new DefaultRingKernelObservationConvention();

	private final String kernelId;

	private final ExecutionPlan plan;

	private final ObservationRegistry registry;

	private final @Nullable RingKernelObservationConvention convention;

	ClientObservations(String kernelId, ExecutionPlan plan, ObservationRegistry registry,
			@Nullable RingKernelObservationConvention convention) {
		this.kernelId = kernelId;
		this.plan = plan;
		this.registry = registry;
		this.convention = convention;
	}

	/**
	 * Whether nobody would see an observation.
	 */
	boolean areNoop() {
		return this.registry.isNoop();
	}

	Observation of(String operation) {
		return Observation.createNotStarted(this.convention, DEFAULT,
				() -> new RingKernelObservationContext(this.kernelId, this.plan, operation), this.registry);
	}

	/**
	 * What the current thread is observed to do.
	 */
	@Nullable Observation current() {
		return this.registry.getCurrentObservation();
	}

}
