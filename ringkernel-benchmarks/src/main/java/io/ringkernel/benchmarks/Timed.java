package io.ringkernel.benchmarks;

import java.util.List;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.spring.metrics.RingKernelMetrics;

/**
 * Which requests of a kernel are timed, and recorded for Prometheus.
 */
public enum Timed {

	/** As good as none, for nobody. */
	NONE(KernelTimings.MAX_INTERVAL),

	/** One request in sixteen, as by default. */
	ONE_IN_SIXTEEN(KernelTimings.DEFAULT_INTERVAL),

	/** Each. */
	EACH(1);

	private final int interval;

	Timed(int interval) {
		this.interval = interval;
	}

	void apply(RingKernelEcho<?> echo) {
		echo.kernel().timings().interval(this.interval);
		if (this != NONE) {
			new RingKernelMetrics(echo.runtime(), () -> List.of(echo.kernel()))
				.bindTo(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
		}
	}

}
