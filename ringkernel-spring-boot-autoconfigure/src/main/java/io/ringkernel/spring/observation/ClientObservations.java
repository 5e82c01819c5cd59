package io.ringkernel.spring.observation;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.runtime.Kernel;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/** Makes the observations of one kernel's clients. */
final class ClientObservations {

	private static final RingKernelObservationConvention DEFAULT = new DefaultRingKernelObservationConvention();

	private final Kernel<?, ?> kernel;

	private final ObservationRegistry registry;

	private final Supplier<? extends @Nullable RingKernelObservationConvention> convention;

	private final BooleanSupplier observed;

	ClientObservations(Kernel<?, ?> kernel, ObservationRegistry registry,
			Supplier<? extends @Nullable RingKernelObservationConvention> convention, BooleanSupplier observed) {
		this.kernel = kernel;
		this.registry = registry;
		this.convention = SingletonSupplier.ofNullable(convention);
		this.observed = observed;
	}

	/** Whether the registry drops observations, or the client is not observed. */
	boolean areNoop() {
		return this.registry.isNoop() || !this.observed.getAsBoolean();
	}

	/** Observes an operation of the kernel by the plan that it has now. */
	Observation of(String operation) {
		return Observation.createNotStarted(this.convention.get(), DEFAULT,
				() -> new RingKernelObservationContext(this.kernel.id(), this.kernel.plan(), operation), this.registry);
	}

	/** What the current thread is observed to do. */
	@Nullable Observation current() {
		return this.registry.getCurrentObservation();
	}

}
