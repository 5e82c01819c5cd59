package io.ringkernel.spring.observation;

import io.micrometer.common.KeyValues;
import io.ringkernel.platform.ConfiguredName;

/**
 * The name {@code ringkernel.client}; spans named {@code vector-add call}; the low
 * cardinality keys {@code kernel}, {@code backend} and {@code mode}, as metrics have
 * them; and {@code operation}, for spans alone.
 */
public class DefaultRingKernelObservationConvention implements RingKernelObservationConvention {

	/**
	 * Creates the convention.
	 */
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
				"mode", ConfiguredName.of(context.plan().mode()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RingKernelObservationContext context) {
		return KeyValues.of("operation", context.operation());
	}

}
