package io.ringkernel.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.runtime.Kernel;
import org.jspecify.annotations.Nullable;

/**
 * Makes the observations of one kernel's clients.
 */
final class ClientObservations {

	private static final RingKernelObservationConvention DEFAULT = new DefaultRingKernelObservationConvention();

	private final Kernel<?, ?> kernel;

	private final ObservationRegistry registry;

	private final @Nullable RingKernelObservationConvention convention;

	ClientObservations(Kernel<?, ?> kernel, ObservationRegistry registry,
			@Nullable RingKernelObservationConvention convention) {
		this.kernel = kernel;
		this.registry = registry;
		this.convention = convention;
	}

	/**
	 * Whether nobody would see an observation.
	 */
	boolean areNoop() {
		return this.registry.isNoop();
	}

	/**
	 * Observes an operation of the kernel as it is run now, which may be in another way
	 * than it was planned.
	 */
	Observation of(String operation) {
		return Observation.createNotStarted(this.convention, DEFAULT,
				() -> new RingKernelObservationContext(this.kernel.id(), this.kernel.plan(), operation), this.registry);
	}

	/**
	 * What the current thread is observed to do.
	 */
	@Nullable Observation current() {
		return this.registry.getCurrentObservation();
	}

}
