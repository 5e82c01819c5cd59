package io.ringkernel.spring.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * The meters of the kernel hosts of a runtime, all hosts together.
 */
final class HostMeters {

	private HostMeters() {
	}

	static void bind(RingKernelRuntime runtime, MeterRegistry registry) {
		FunctionCounter.builder("ringkernel.host.restarts", runtime, (it) -> sum(it, HostStatus::restarts))
			.description("Kernel hosts that were started in place of one that was lost")
			.register(registry);
		FunctionTimer
			.builder("ringkernel.host.outage", runtime, (it) -> sum(it, HostStatus::restarts),
					(it) -> sum(it, (host) -> host.outage().toNanos()), TimeUnit.NANOSECONDS)
			.description("From the end of a kernel host until another one runs")
			.register(registry);
		Gauge.builder("ringkernel.host.quarantined", runtime, (it) -> sum(it, (host) -> host.quarantined().size()))
			.description("Kernels that are kept from the kernel host because they have ended it")
			.register(registry);
	}

	private static long sum(RingKernelRuntime runtime, ToLongFunction<HostStatus> value) {
		return runtime.hosts().stream().mapToLong(value).sum();
	}

}
