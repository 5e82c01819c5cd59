package io.ringkernel.spring.observation;

import io.micrometer.common.KeyValues;
import io.ringkernel.platform.ConfiguredName;

/**
 * Names observations {@code ringkernel.client} and spans {@code vector-add call}. The low
 * cardinality keys are {@code kernel}, {@code backend} and {@code mode}, as metrics have
 * them, and {@code operation}, which is the method of the client. There are no high
 * cardinality keys.
 *
 * @since 0.1.0
 */
public class DefaultRingKernelObservationConvention implements RingKernelObservationConvention {

	/** Creates the convention. */
	public DefaultRingKernelObservationConvention() {
	}

	@Override
	public String getName() {
		return "ringkernel.client";
	}

	@Override
	public String getContextualName(RingKernelObservationContext context) {
		return context.kernelId() + " " + context.operation();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RingKernelObservationContext context) {
		return KeyValues.of("kernel", context.kernelId(), "backend", ConfiguredName.of(context.plan().backend()),
				"mode", ConfiguredName.of(context.plan().mode()), "operation", context.operation());
	}

}
