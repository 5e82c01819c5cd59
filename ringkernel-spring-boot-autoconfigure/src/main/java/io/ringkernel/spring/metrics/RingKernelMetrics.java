package io.ringkernel.spring.metrics;

import java.util.Collection;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.ringkernel.runtime.Kernel;

/**
 * Binds the meters of every kernel. Their tags are {@code kernel}, {@code backend} and
 * {@code mode}, and no others.
 * <p>
 * Timers, of one request in {@code ringkernel.timing-interval}; so their counts are that
 * fraction of the requests, and {@code ringkernel.requests.processed} has all of them:
 * <ul>
 * <li>{@code ringkernel.request}: from the first look for a free slot until the response
 * was decoded, whether it is an answer or says that the handler failed. A request without
 * a response is counted as timed out or rejected, and not timed.</li>
 * <li>{@code ringkernel.request.queued}, {@code .handling} and {@code .delivery}: its
 * parts until a worker began the request, while the worker decoded it and the handler
 * ran, and from there on. Only where the workers are threads of this process, whose clock
 * they share; a device has a clock of its own.</li>
 * </ul>
 * Counters, over all launches of a kernel: {@code ringkernel.requests.processed}
 * (answered in whichever way), {@code .failed} (by the handler), {@code .timed.out} and
 * {@code .rejected} (because the ring was full); {@code ringkernel.launches} (of the loop
 * or one of its workers, resumptions included) and {@code ringkernel.restarts} (of the
 * kernel, with a new ring).
 * <p>
 * Gauges: {@code ringkernel.active} and {@code ringkernel.stuck} (1 or 0),
 * {@code ringkernel.requests.in.flight}, {@code ringkernel.requests.oldest.age}
 * (seconds), {@code ringkernel.ring.slots}, {@code ringkernel.ring.occupancy} (0 to 1),
 * {@code ringkernel.ring.memory} and {@code ringkernel.device.memory} (bytes; the
 * device's is besides the ring), {@code ringkernel.workers.active},
 * {@code ringkernel.heartbeat.age} (seconds; since the heartbeat was last seen to change
 * by whoever read the status, 0 while no worker runs).
 */
public class RingKernelMetrics implements MeterBinder {

	private final Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels;

	/**
	 * Creates the binder.
	 * @param kernels the kernels; asked for when meters are bound
	 */
	public RingKernelMetrics(Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels) {
		this.kernels = kernels;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.kernels.get().forEach((kernel) -> new KernelMeters(kernel).bindTo(registry));
	}

}
