package io.ringkernel.spring.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.ringkernel.KernelState;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.RequestTimingListener;
import org.jspecify.annotations.Nullable;

/**
 * The timers and gauges of one kernel in one registry, as long as it is run by one plan.
 */
final class KernelMeters {

	/** A GPU answers in 2 µs. Micrometer's own default is 1 ms. */
	private static final Duration SHORTEST = Duration.ofNanos(500);

	private final Kernel<?, ?> kernel;

	private final ExecutionPlan plan;

	private final Tags tags;

	private final MeterRegistry registry;

	private final List<Meter> meters = new ArrayList<>();

	private @Nullable RequestTimingListener listener;

	KernelMeters(Kernel<?, ?> kernel, ExecutionPlan plan, MeterRegistry registry) {
		this.kernel = kernel;
		this.plan = plan;
		this.registry = registry;
		this.tags = tags(kernel, plan);
	}

	static Tags tags(Kernel<?, ?> kernel, ExecutionPlan plan) {
		Tags tags = Tags.of("kernel", kernel.spec().kernelId(), "backend", ConfiguredName.of(plan.backend()), "mode",
				ConfiguredName.of(plan.mode()));
		OptionalInt replica = kernel.spec().replica();
		return replica.isPresent() ? tags.and("replica", String.valueOf(replica.getAsInt())) : tags;
	}

	boolean areOf(ExecutionPlan other) {
		return this.plan.equals(other);
	}

	void bind() {
		bindTimers();
		bindGauges();
	}

	/** Takes the meters out of the registry, and no other's. */
	void unbind() {
		if (this.listener != null) {
			this.kernel.timings().removeListener(this.listener);
		}
		this.meters.forEach(this.registry::remove);
		this.meters.clear();
	}

	private <M extends Meter> M bound(M meter) {
		this.meters.add(meter);
		return meter;
	}

	private void listen(RequestTimingListener timing) {
		this.listener = timing;
		this.kernel.timings().addListener(timing);
	}

	private void bindTimers() {
		Timer total = timer("ringkernel.request",
				"From the first look for a free slot until the response was decoded, of sampled requests");
		if (this.plan.backend() == BackendKind.CUDA) {
			bindDeviceTimes();
			listen((nanos, queued, handling, delivery) -> record(total, nanos));
			return;
		}
		Timer queue = timer("ringkernel.request.queued", "Until a worker began the sampled request");
		Timer handler = timer("ringkernel.request.handling",
				"While a worker decoded the sampled request and its handler ran");
		Timer deliver = timer("ringkernel.request.delivery",
				"From the end of the handler until the response of the sampled request was decoded");
		listen((nanos, queued, handling, delivery) -> {
			record(total, nanos);
			record(queue, queued);
			record(handler, handling);
			record(deliver, delivery);
		});
	}

	private void bindDeviceTimes() {
		bound(FunctionTimer
			.builder("ringkernel.device.request", this.kernel,
					(it) -> it.deviceTimes().map(DeviceTimes::count).orElse(0L),
					(it) -> it.deviceTimes().map(DeviceTimes::totalNanos).orElse(0L), TimeUnit.NANOSECONDS)
			.description("On the device, from when a worker found the request until its response was on its way")
			.tags(this.tags)
			.register(this.registry));
	}

	/** Publishes no histogram. The expected values bound one that is configured. */
	private Timer timer(String name, String description) {
		Duration longest = this.kernel.spec().options().requestTimeout();
		return bound(Timer.builder(name)
			.description(description)
			.tags(this.tags)
			.minimumExpectedValue(SHORTEST)
			.maximumExpectedValue((longest.compareTo(SHORTEST) > 0) ? longest : SHORTEST)
			.register(this.registry));
	}

	private static void record(Timer timer, long nanos) {
		if (nanos != RequestTimingListener.UNKNOWN) {
			timer.record(nanos, TimeUnit.NANOSECONDS);
		}
	}

	private void bindGauges() {
		gauge("ringkernel.active", "Whether the kernel takes requests", null,
				(status) -> (status.state() == KernelState.ACTIVE) ? 1 : 0);
		gauge("ringkernel.stuck", "Whether the kernel answers nothing although a caller waits", null,
				(status) -> status.stuck() ? 1 : 0);
		gauge("ringkernel.requests.in.flight", "Slots in use", null, KernelStatus::inFlight);
		age("ringkernel.requests.oldest.age", "How long the oldest request has been waited for",
				KernelStatus::oldestRequestAge);
		gauge("ringkernel.ring.slots", "Slots of the ring", null, KernelStatus::slots);
		gauge("ringkernel.ring.occupancy", "Part of the slots in use", "ratio",
				(status) -> (status.slots() > 0) ? status.inFlight() / (double) status.slots() : 0);
		gauge("ringkernel.ring.memory", "Memory of the control block and the ring", BaseUnits.BYTES,
				KernelStatus::memoryBytes);
		gauge("ringkernel.device.memory", "Memory of the device besides the ring", BaseUnits.BYTES,
				KernelStatus::deviceMemoryBytes);
		gauge("ringkernel.workers.active", "Workers that run", null, KernelStatus::activeWorkers);
		age("ringkernel.heartbeat.age", "Since the heartbeat was last seen to change", KernelStatus::heartbeatAge);
	}

	private void gauge(String name, String description, @Nullable String unit, ToDoubleFunction<KernelStatus> value) {
		bound(Gauge.builder(name, this.kernel, (it) -> value.applyAsDouble(it.status()))
			.description(description)
			.baseUnit(unit)
			.tags(this.tags)
			.register(this.registry));
	}

	private void age(String name, String description, Function<KernelStatus, Duration> value) {
		bound(TimeGauge.builder(name, this.kernel, TimeUnit.NANOSECONDS, (it) -> value.apply(it.status()).toNanos())
			.description(description)
			.tags(this.tags)
			.register(this.registry));
	}

}
