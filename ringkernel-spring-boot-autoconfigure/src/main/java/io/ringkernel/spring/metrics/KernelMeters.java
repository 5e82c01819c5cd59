package io.ringkernel.spring.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.ringkernel.KernelState;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelStatus;
import io.ringkernel.runtime.RequestTimingListener;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one kernel.
 */
final class KernelMeters {

	/** A GPU answers in 2 µs; the buckets begin below that, where they are for millis. */
	private static final Duration SHORTEST = Duration.ofNanos(500);

	private final Kernel<?, ?> kernel;

	private final ExecutionPlan plan;

	private final Tags tags;

	KernelMeters(Kernel<?, ?> kernel) {
		this.kernel = kernel;
		this.plan = kernel.status().plan();
		this.tags = Tags.of("kernel", kernel.id(), "backend", ConfiguredName.of(this.plan.backend()), "mode",
				ConfiguredName.of(this.plan.mode()));
	}

	void bindTo(MeterRegistry registry) {
		bindTimers(registry);
		bindCounters(registry);
		bindGauges(registry);
	}

	private void bindTimers(MeterRegistry registry) {
		Timer total = timer(registry, "ringkernel.request",
				"From the first look for a free slot until the response was decoded, of sampled requests");
		if (this.plan.transport() != Transport.DIRECT) {
			this.kernel.timings().addListener((nanos, queued, handling, delivery) -> record(total, nanos));
			return;
		}
		Timer queue = timer(registry, "ringkernel.request.queued", "Until a worker began the sampled request");
		Timer handler = timer(registry, "ringkernel.request.handling",
				"While a worker decoded the sampled request and its handler ran");
		Timer deliver = timer(registry, "ringkernel.request.delivery",
				"From the end of the handler until the response of the sampled request was decoded");
		this.kernel.timings().addListener((nanos, queued, handling, delivery) -> {
			record(total, nanos);
			record(queue, queued);
			record(handler, handling);
			record(deliver, delivery);
		});
	}

	private Timer timer(MeterRegistry registry, String name, String description) {
		return Timer.builder(name)
			.description(description)
			.tags(this.tags)
			.publishPercentileHistogram()
			.minimumExpectedValue(SHORTEST)
			.maximumExpectedValue(this.kernel.spec().options().requestTimeout())
			.register(registry);
	}

	private static void record(Timer timer, long nanos) {
		if (nanos != RequestTimingListener.UNKNOWN) {
			timer.record(nanos, TimeUnit.NANOSECONDS);
		}
	}

	private void bindCounters(MeterRegistry registry) {
		counter(registry, "ringkernel.requests.processed", "Requests that were answered, in whichever way",
				KernelStatus::processed);
		counter(registry, "ringkernel.requests.failed", "Requests on which the handler failed", KernelStatus::failed);
		counter(registry, "ringkernel.requests.timed.out", "Requests that were not answered in time",
				KernelStatus::timedOut);
		counter(registry, "ringkernel.requests.rejected", "Requests that were not sent because the ring was full",
				KernelStatus::rejected);
		counter(registry, "ringkernel.launches", "Launches and resumptions of the loop or one of its workers",
				KernelStatus::loopLaunches);
		counter(registry, "ringkernel.restarts", "Launches of the kernel after the first", KernelStatus::restarts);
	}

	private void counter(MeterRegistry registry, String name, String description,
			ToDoubleFunction<KernelStatus> value) {
		FunctionCounter.builder(name, this.kernel, (it) -> value.applyAsDouble(it.status()))
			.description(description)
			.tags(this.tags)
			.register(registry);
	}

	private void bindGauges(MeterRegistry registry) {
		gauge(registry, "ringkernel.active", "Whether the kernel takes requests", null,
				(status) -> (status.state() == KernelState.ACTIVE) ? 1 : 0);
		gauge(registry, "ringkernel.stuck", "Whether the kernel answers nothing although somebody waits", null,
				(status) -> status.stuck() ? 1 : 0);
		gauge(registry, "ringkernel.requests.in.flight", "Slots in use", null, KernelStatus::inFlight);
		age(registry, "ringkernel.requests.oldest.age", "How long the oldest request has been waited for",
				KernelStatus::oldestRequestAge);
		gauge(registry, "ringkernel.ring.slots", "Slots of the ring", null, KernelStatus::slots);
		gauge(registry, "ringkernel.ring.occupancy", "Part of the slots in use", "ratio",
				(status) -> (status.slots() > 0) ? status.inFlight() / (double) status.slots() : 0);
		gauge(registry, "ringkernel.ring.memory", "Memory of the control block and the ring", BaseUnits.BYTES,
				KernelStatus::memoryBytes);
		gauge(registry, "ringkernel.device.memory", "Memory of the device besides the ring", BaseUnits.BYTES,
				KernelStatus::deviceMemoryBytes);
		gauge(registry, "ringkernel.workers.active", "Workers that run", null, KernelStatus::activeWorkers);
		age(registry, "ringkernel.heartbeat.age", "Since the heartbeat was last seen to change",
				KernelStatus::heartbeatAge);
	}

	private void gauge(MeterRegistry registry, String name, String description, @Nullable String unit,
			ToDoubleFunction<KernelStatus> value) {
		Gauge.builder(name, this.kernel, (it) -> value.applyAsDouble(it.status()))
			.description(description)
			.baseUnit(unit)
			.tags(this.tags)
			.register(registry);
	}

	private void age(MeterRegistry registry, String name, String description, Function<KernelStatus, Duration> value) {
		TimeGauge.builder(name, this.kernel, TimeUnit.NANOSECONDS, (it) -> value.apply(it.status()).toNanos())
			.description(description)
			.tags(this.tags)
			.register(registry);
	}

}
