package io.ringkernel.exception;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.ringkernel.RingKernelClient;

/**
 * Some replicas of a kernel did not answer a {@linkplain RingKernelClient#broadcast
 * broadcast}. All others have answered it.
 *
 * @since 0.2.0
 */
public final class BroadcastException extends RingKernelException {

	private final Map<String, RingKernelException> failures;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param replicas how many replicas it has
	 * @param failures why replicas have not answered, by their ids; at least one
	 */
	public BroadcastException(String kernelId, int replicas, Map<String, RingKernelException> failures) {
		super(message(kernelId, replicas, failures), failures.values().iterator().next());
		this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
		failures.values().stream().skip(1).forEach(this::addSuppressed);
	}

	private static String message(String kernelId, int replicas, Map<String, RingKernelException> failures) {
		return failures.entrySet()
			.stream()
			.map((failure) -> "'%s': %s".formatted(failure.getKey(), failure.getValue().getMessage()))
			.collect(Collectors.joining(" ", "%d of %d replicas of ring kernel '%s' have answered a broadcast, and not "
				.formatted(replicas - failures.size(), replicas, kernelId), ""));
	}

	/**
	 * {@return why replicas have not answered, by their ids, in the order of their
	 * numbers} Each failure is of the type that a call of the replica throws, which tells
	 * whether the replica may have handled the request.
	 */
	public Map<String, RingKernelException> failures() {
		return this.failures;
	}

}
