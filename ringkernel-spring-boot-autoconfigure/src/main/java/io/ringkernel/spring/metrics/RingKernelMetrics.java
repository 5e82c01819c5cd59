package io.ringkernel.spring.metrics;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Binds the meters of every kernel. Their tags are {@code kernel}, {@code backend} and
 * {@code mode}, and {@code replica} if the kernel has more than one: there are meters for
 * each replica then, and none for the kernel. If a kernel moves to another plan, its
 * gauges are replaced, and its timers, which start at zero. Its counters stay: those of
 * each plan count what happens while it runs the kernel, so the kernel has the sum of
 * them.
 * <p>
 * Timers record one request in {@code ringkernel.timing-interval}. Their count is that
 * fraction of {@code ringkernel.requests.processed}. They publish no histogram unless
 * {@code management.metrics.distribution.*} configures one.
 * <ul>
 * <li>{@code ringkernel.request}: from the first look for a free slot until the response
 * was decoded, whether it is an answer or reports that the handler failed. A request
 * without a response counts as timed out or rejected, and is not timed.</li>
 * <li>{@code ringkernel.request.queued}, {@code .handling} and {@code .delivery}: the
 * parts of it until a worker began the request, while the worker decoded it and the
 * handler ran, and after that. The CPU backend alone has them, because its workers share
 * the clock of the caller.</li>
 * <li>{@code ringkernel.device.request}: on a device, from when a worker found the
 * request until its response was on its way, by the clock of the device. Count and sum of
 * all requests of this launch, not sampled. The rest of {@code ringkernel.request} is the
 * transfer both ways and the wait for a worker, which two clocks cannot tell apart.</li>
 * </ul>
 * Counters, over all launches of a kernel: {@code ringkernel.requests.processed}
 * (answered in whichever way), {@code .failed} (by the handler), {@code .timed.out},
 * {@code .rejected} (because the ring was full), {@code .lost} and {@code .replayed}
 * (begun when their device was lost, and failed or handled again);
 * {@code ringkernel.launches} (of the loop or one of its workers, resumptions included)
 * and {@code ringkernel.restarts} (of the kernel, with a new ring).
 * <p>
 * Gauges: {@code ringkernel.active} and {@code ringkernel.stuck} (1 or 0),
 * {@code ringkernel.requests.in.flight}, {@code ringkernel.requests.oldest.age}
 * (seconds), {@code ringkernel.ring.slots}, {@code ringkernel.ring.occupancy} (0 to 1),
 * {@code ringkernel.ring.memory} and {@code ringkernel.device.memory} (bytes; the second
 * is memory besides the ring), {@code ringkernel.workers.active},
 * {@code ringkernel.heartbeat.age} (seconds since a reader of the status last saw the
 * heartbeat change, 0 while no worker runs).
 * <p>
 * Of all kernel hosts, without tags, if there is one: {@code ringkernel.host.restarts}
 * (of one that was lost), {@code ringkernel.host.outage} (how many such outages are over,
 * and how long all of them took) and {@code ringkernel.host.quarantined} (kernels that
 * are kept from it).
 *
 * @since 0.1.0
 */
public class RingKernelMetrics implements MeterBinder {

	private final RingKernelRuntime runtime;

	private final Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels;

	/**
	 * Creates the binder.
	 * @param runtime what runs the kernels, and tells how
	 * @param kernels the kernels that have meters; asked for when meters are bound, and
	 * when a kernel that has none changes its state
	 */
	public RingKernelMetrics(RingKernelRuntime runtime,
			Supplier<? extends Collection<? extends Kernel<?, ?>>> kernels) {
		this.runtime = runtime;
		this.kernels = kernels;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		BoundMeters meters = new BoundMeters(registry, this.kernels);
		this.runtime.addListener(meters);
		meters.bindAll();
		if (!this.runtime.hosts().isEmpty()) {
			bindHosts(registry);
		}
	}

	private void bindHosts(MeterRegistry registry) {
		FunctionCounter.builder("ringkernel.host.restarts", this.runtime, (it) -> sum(it, HostStatus::restarts))
			.description("Kernel hosts that were started in place of one that was lost")
			.register(registry);
		FunctionTimer
			.builder("ringkernel.host.outage", this.runtime, (it) -> sum(it, HostStatus::restarts),
					(it) -> sum(it, (host) -> host.outage().toNanos()), TimeUnit.NANOSECONDS)
			.description("From the end of a kernel host until another one runs")
			.register(registry);
		Gauge.builder("ringkernel.host.quarantined", this.runtime, (it) -> sum(it, (host) -> host.quarantined().size()))
			.description("Kernels that are kept from the kernel host because they have ended it")
			.register(registry);
	}

	private static long sum(RingKernelRuntime runtime, ToLongFunction<HostStatus> value) {
		return runtime.hosts().stream().mapToLong(value).sum();
	}

}
