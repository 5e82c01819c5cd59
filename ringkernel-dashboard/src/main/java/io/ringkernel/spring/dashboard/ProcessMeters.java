package io.ringkernel.spring.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;

/**
 * What the meters of Actuator say of the process, which is the device of kernels on the
 * CPU. A meter that there is not is left out.
 */
final class ProcessMeters {

	private ProcessMeters() {
	}

	/**
	 * Reads the meters.
	 * @return {@code cpuUsage} from 0 to 1, {@code heapUsedBytes} and
	 * {@code heapMaxBytes}
	 */
	static Map<String, Object> read(MeterRegistry registry) {
		Map<String, Object> values = new LinkedHashMap<>();
		put(values, "cpuUsage", registry.find("process.cpu.usage"));
		put(values, "heapUsedBytes", registry.find("jvm.memory.used").tag("area", "heap"));
		put(values, "heapMaxBytes", registry.find("jvm.memory.max").tag("area", "heap"));
		return values;
	}

	/**
	 * A pool without a limit says -1, and a meter that cannot be read is not a number.
	 */
	private static void put(Map<String, Object> values, String name, Search search) {
		double sum = search.gauges().stream().mapToDouble(Gauge::value).filter((value) -> value >= 0).sum();
		if (!search.gauges().isEmpty()) {
			values.put(name, sum);
		}
	}

}
