package io.ringkernel.spring.metrics;

import java.util.Collection;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Binds the meters of every kernel. Their tags are {@code kernel}, {@code backend} and
 * {@code mode}, and no others. A kernel that is moved to another plan gets its meters
 * anew: counters go on, since they count what has happened over all launches; timers
 * begin at nothing.
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
 * they share.</li>
 * <li>{@code ringkernel.device.request}: on a device, from when a worker found the
 * request until its response was on its way, by the device's own clock: count and sum of
 * all requests of this launch, not sampled. What is left of {@code ringkernel.request} is
 * the way there and back, and the wait for a worker: two clocks cannot tell these
 * apart.</li>
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

	private final RingKernelRuntime runtime;

	private final Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels;

	/**
	 * Creates the binder.
	 * @param runtime what runs the kernels, and tells how
	 * @param kernels the kernels; asked for when meters are bound
	 */
	public RingKernelMetrics(RingKernelRuntime runtime,
			Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels) {
		this.runtime = runtime;
		this.kernels = kernels;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		BoundMeters meters = new BoundMeters(registry);
		this.runtime.addListener(meters);
		this.kernels.get().forEach(meters::bind);
	}

}
