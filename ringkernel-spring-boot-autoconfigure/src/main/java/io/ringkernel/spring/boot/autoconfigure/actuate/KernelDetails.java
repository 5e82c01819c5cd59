package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.runtime.DeviceStatus;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.LatencySummary;
import io.ringkernel.observe.StateOrigin;

import org.springframework.boot.actuate.endpoint.SanitizableData;

/** Kernels and plans as names and raw values, the same for health, info and endpoint. */
final class KernelDetails {

	private KernelDetails() {
	}

	/**
	 * All that is known of a kernel. Messages of its errors may contain what was sent to
	 * it, so they are hidden unless they are to be shown.
	 */
	static Map<String, Object> of(Kernel<?, ?> kernel, boolean showMessages) {
		Map<String, Object> details = of(kernel.status());
		details.put("latency", latency(kernel.timings()));
		kernel.deviceTimes().ifPresent((times) -> details.put("deviceTimes", deviceTimes(times)));
		Map<String, Object> launch = kernel.launchParameters();
		if (!launch.isEmpty()) {
			details.put("launch", launch);
		}
		kernel.stateOrigin().ifPresent((origin) -> details.put("keptState", keptState(origin)));
		details.put("lastErrors", kernel.latestErrors().stream().map((error) -> error(error, showMessages)).toList());
		if (kernel.replicas().size() > 1) {
			Map<String, Object> replicas = new LinkedHashMap<>();
			kernel.replicas().forEach((replica) -> replicas.put(replica.id(), of(replica, showMessages)));
			details.put("replicas", replicas);
		}
		return details;
	}

	static Map<String, Object> keptState(StateOrigin origin) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("restoredFrom", (origin.restoredFrom() != null) ? origin.restoredFrom() : "none, it began anew");
		details.put("reason", origin.reason());
		if (origin.savedAt() != null) {
			details.put("savedAt", origin.savedAt());
		}
		if (origin.problem() != null) {
			details.put("problem", origin.problem());
		}
		return details;
	}

	static Map<String, Object> of(KernelStatus status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state().name());
		addChoices(details, status.plan());
		details.put("processed", status.processed());
		details.put("failed", status.failed());
		details.put("timedOut", status.timedOut());
		details.put("rejected", status.rejected());
		details.put("lost", status.lost());
		details.put("replayed", status.replayed());
		details.put("inFlight", status.inFlight());
		details.put("slots", status.slots());
		details.put("occupancy", (status.slots() > 0) ? status.inFlight() / (double) status.slots() : 0.0);
		details.put("oldestRequestAgeMillis", status.oldestRequestAge().toMillis());
		details.put("stuck", status.stuck());
		details.put("memoryBytes", status.memoryBytes());
		details.put("deviceMemoryBytes", status.deviceMemoryBytes());
		details.put("workers", status.workers());
		details.put("activeWorkers", status.activeWorkers());
		details.put("heartbeat", status.heartbeat());
		details.put("heartbeatAgeMillis", status.heartbeatAge().toMillis());
		details.put("loopLaunches", status.loopLaunches());
		details.put("restarts", status.restarts());
		details.put("reasons", status.plan().reasons());
		if (status.lastFailure() != null) {
			details.put("lastFailure", status.lastFailure());
		}
		return details;
	}

	static Map<String, Object> of(ExecutionPlan plan) {
		Map<String, Object> details = new LinkedHashMap<>();
		addChoices(details, plan);
		details.put("reasons", plan.reasons());
		return details;
	}

	private static void addChoices(Map<String, Object> details, ExecutionPlan plan) {
		details.put("backend", ConfiguredName.of(plan.backend()));
		details.put("mode", ConfiguredName.of(plan.mode()));
		details.put("transport", ConfiguredName.of(plan.transport()));
		if (plan.backend() != BackendKind.CPU) {
			details.put("device", plan.device());
		}
	}

	/** What was not measured is not there. */
	private static Map<String, Object> latency(KernelTimings timings) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("unit", "ns");
		addLatency(details, "total", timings.total());
		addLatency(details, "queued", timings.queued());
		addLatency(details, "handling", timings.handling());
		addLatency(details, "delivery", timings.delivery());
		return details;
	}

	private static void addLatency(Map<String, Object> details, String name, LatencySummary summary) {
		if (summary.count() > 0) {
			Map<String, Object> values = new LinkedHashMap<>();
			values.put("count", summary.count());
			values.put("mean", Math.round(summary.mean()));
			values.put("p50", summary.p50());
			values.put("p90", summary.p90());
			values.put("p99", summary.p99());
			values.put("p99.9", summary.p999());
			values.put("max", summary.max());
			details.put(name, values);
		}
	}

	/** The key of a bucket is what its requests took less than. */
	private static Map<String, Object> deviceTimes(DeviceTimes times) {
		Map<String, Object> histogram = new LinkedHashMap<>();
		for (DeviceTimes.Bucket bucket : times.histogram()) {
			boolean open = bucket.belowNanos() == Long.MAX_VALUE;
			histogram.put(open ? "longer" : String.valueOf(bucket.belowNanos()), bucket.count());
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("unit", "ns");
		details.put("count", times.count());
		details.put("mean", times.totalNanos() / times.count());
		details.put("below", histogram);
		return details;
	}

	private static Map<String, Object> error(KernelError error, boolean showMessage) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("at", error.at().toString());
		details.put("type", error.type());
		details.put("message", showMessage ? error.message() : SanitizableData.SANITIZED_VALUE);
		details.put("count", error.count());
		return details;
	}

	/** The platform of kernels that name no device and, if others do, of all devices. */
	static Map<String, Object> platform(List<DeviceStatus> devices) {
		Map<String, Object> platform = platform(devices.get(0).plan());
		if (devices.size() > 1) {
			Map<String, Object> all = new LinkedHashMap<>();
			devices.forEach((device) -> all.put(String.valueOf(device.plan().device()), device(device)));
			platform.put("devices", all);
		}
		return platform;
	}

	private static Map<String, Object> device(DeviceStatus device) {
		Map<String, Object> details = platform(device.plan());
		if (device.failure() != null) {
			details.put("problem", lost(device, "device " + device.plan().device()));
		}
		return details;
	}

	private static Map<String, Object> platform(ExecutionPlan plan) {
		Map<String, Object> platform = new LinkedHashMap<>(plan.platform());
		platform.put("plan", of(plan));
		return platform;
	}

	/** What is wrong with those that nothing can run on. */
	static List<String> lost(List<DeviceStatus> devices) {
		return devices.stream()
			.filter((device) -> device.failure() != null)
			.map((device) -> lost(device, (devices.size() > 1) ? "device " + device.plan().device() : "the device"))
			.toList();
	}

	private static String lost(DeviceStatus device, String name) {
		String pattern = device.recoverable() ? "Nothing runs on %s now: %s"
				: "This process has lost %s: %s Restart the application.";
		return pattern.formatted(name, Objects.requireNonNull(device.failure()).getMessage());
	}

}
