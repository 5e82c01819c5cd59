package io.ringkernel.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * How observations of calls to ring kernels are named and tagged. A bean of this type
 * replaces {@link DefaultRingKernelObservationConvention}.
 *
 * @since 0.1.0
 */
public interface RingKernelObservationConvention extends ObservationConvention<RingKernelObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RingKernelObservationContext;
	}

}
