package io.ringkernel.spring.dashboard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A status as the application sends it, made up.
 */
final class StatusFixture {

	private static final long STEP = KernelHistory.STEP.toMillis();

	private static final long SPAN = KernelHistory.SPAN.toMillis();

	/** A device, a kernel host and 15 minutes in which both had a bad moment. */
	static StatusFixture ofDevice(long now) {
		StatusFixture status = new StatusFixture().actions(true).now(now);
		status.platform.put("device", "NVIDIA H100 80GB HBM3");
		status.platform.put("memory", "79.1 GiB");
		status.platform.put("plan", Map.of("device", 0));
		status.platform.put("hosts", List.of(Map.of("pid", 4711, "uptimeMillis", 420_000, "devices", List.of(0),
				"crashes", 1, "restarts", 1, "outageMillis", 230)));
		return status;
	}

	private final Map<String, Object> kernels = new LinkedHashMap<>();

	private final Map<String, Object> platform = new LinkedHashMap<>();

	private final Map<String, Object> near = new LinkedHashMap<>();

	private final Map<String, List<HistorySample>> samples = new LinkedHashMap<>();

	private final List<HistoryEvent> events = new ArrayList<>();

	private Map<String, Object> application = Map.of("name", "orders", "pid", 815, "uptimeMillis", 7_380_000,
			"processors", 8, "cpuUsage", 0.125, "heapUsedBytes", 300_000_000, "heapMaxBytes", 4_294_967_296L);

	private boolean actions;

	private long now = System.currentTimeMillis();

	StatusFixture actions(boolean actions) {
		this.actions = actions;
		return this;
	}

	StatusFixture now(long now) {
		this.now = now;
		return this;
	}

	StatusFixture kernel(String id, String state, Map<String, Object> more) {
		Map<String, Object> kernel = new LinkedHashMap<>(Map.of("state", state, "backend", "cpu", "mode", "persistent",
				"transport", "direct", "workers", 32, "reasons", List.of("backend 'cpu' was asked for"), "inFlight", 0,
				"slots", 1024, "oldestRequestAgeMillis", 0));
		kernel.putAll(Map.of("processed", 0, "failed", 0, "timedOut", 0, "rejected", 0, "lost", 0, "restarts", 0,
				"stuck", false, "latency", Map.of(), "lastErrors", List.of()));
		kernel.putAll(more);
		this.kernels.put(id, kernel);
		return this;
	}

	StatusFixture ring(String id, String slots) {
		return rings(id, slots, id);
	}

	/** The rings of some replicas of a kernel. */
	StatusFixture rings(String id, String slots, String... replicas) {
		Map<String, Object> rings = new LinkedHashMap<>();
		for (String replica : replicas) {
			rings.put(replica, Map.of("slots", slots, "violations", List.of()));
		}
		this.near.put(id, Map.of("rings", rings, "buckets", buckets()));
		return this;
	}

	private static List<Map<String, Object>> buckets() {
		long[] counts = { 3, 120, 18_400, 9_120, 2_300, 410, 60, 9 };
		long[] below = { 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000, 20_000_000, 1_000_000_000 };
		List<Map<String, Object>> buckets = new ArrayList<>();
		for (int i = 0; i < counts.length; i++) {
			buckets.add(Map.of("from", (i > 0) ? below[i - 1] : 1000, "below", below[i], "count", counts[i]));
		}
		return buckets;
	}

	/** 15 minutes with an outage: requests rise and fall, and fail for a while. */
	StatusFixture history(String id) {
		List<HistorySample> all = new ArrayList<>();
		for (int i = 0; i < SPAN / STEP; i++) {
			boolean outage = i > 95 && i < 104;
			double requests = outage ? 0 : 42_000 + 9_000 * Math.sin(i / 9.0) + 1_500 * Math.sin(i * 2.3);
			all.add(new HistorySample(this.now - SPAN + (i + 1) * STEP, requests, (i > 90 && i < 100) ? 340 : 0,
					outage ? null : 14_000 + 900L * (i % 7), outage ? null : ((i > 90) ? 4_000_000L : 180_000L), 0.37));
		}
		this.samples.put(id, all);
		return this;
	}

	StatusFixture samples(String id, HistorySample... samples) {
		this.samples.put(id, List.of(samples));
		return this;
	}

	StatusFixture event(long secondsAgo, @Nullable String kernel, boolean problem, String title, String text) {
		this.events
			.add(new HistoryEvent(this.events.size() + 1, this.now - secondsAgo * 1000, kernel, problem, title, text));
		return this;
	}

	String json() {
		Map<String, Object> status = new LinkedHashMap<>();
		status.put("platform", this.platform);
		status.put("kernels", this.kernels);
		status.put("application", this.application);
		status.put("endpoint", "../ringkernels");
		status.put("actions", this.actions);
		status.put("near", this.near);
		status.put("history", new KernelHistory.Part(new KernelHistory.Position(this.now, this.events.size()), this.now,
				STEP, SPAN, this.samples, this.events)
			.toMap());
		return new JsonMapper().writeValueAsString(status);
	}

}
