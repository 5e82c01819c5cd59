package io.ringkernel.routing;

import io.ringkernel.RingKernelKey;
import io.ringkernel.exception.InvalidConfigurationException;

/**
 * Reads the key of a request: requests with equal keys are served by the same replica of
 * a kernel. It is called by the thread that sends, for each request, and by any number of
 * threads at once.
 *
 * @param <I> the request
 * @since 0.2.0
 */
@FunctionalInterface
public interface KeyExtractor<I extends Record> {

	/**
	 * {@return the key of a request, or a hash of it} It need not be spread evenly; if it
	 * is the same after a restart, a key keeps its replica.
	 * @param request the request
	 */
	long keyOf(I request);

	/**
	 * {@return what reads the component with {@link RingKernelKey}}
	 * @param <I> the request
	 * @param type the record of the requests
	 * @throws InvalidConfigurationException if not exactly one component has the
	 * annotation, or if its type is none that the annotation is for
	 */
	static <I extends Record> KeyExtractor<I> ofComponent(Class<I> type) {
		return RecordKey.of(type);
	}

}
