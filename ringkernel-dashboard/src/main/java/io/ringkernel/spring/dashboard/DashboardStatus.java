package io.ringkernel.spring.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.observe.LatencyBucket;
import io.ringkernel.ring.SlotDump;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelsEndpoint;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.context.ApplicationContext;
import org.springframework.util.StringUtils;

/**
 * What the page shows: the body of {@code ringkernels}, the application, the history of
 * the kernels, and for each kernel its slots and the buckets of its latency. Messages of
 * errors are shown only if everybody may see them, since a stream outlives the request
 * that has opened it. All of it is maps: the JSON mapper of the application writes the
 * events of a stream, and names the components of a record as it likes.
 */
record DashboardStatus(RingKernelsEndpoint endpoint, RingKernelRuntime runtime, EndpointAccessResolver access,
		ApplicationContext context, ObjectProvider<MeterRegistry> registry, KernelHistory history) {

	static final EndpointId DASHBOARD = EndpointId.of(RingKernelsDashboardEndpoint.ID);

	static final EndpointId KERNELS = EndpointId.of("ringkernels");

	/**
	 * Reads the status again and again. The first one has the whole history, each later
	 * one what has come since.
	 * @param paths where the endpoints are
	 * @return a supplier of names and values, for one thread at a time
	 */
	Supplier<Object> stream(PathMappedEndpoints paths) {
		AtomicReference<KernelHistory.Position> seen = new AtomicReference<>(KernelHistory.Position.START);
		return () -> {
			KernelHistory.Part part = this.history.since(seen.get());
			seen.set(part.position());
			Map<String, Object> status = read(paths);
			status.put("history", part.toMap());
			return status;
		};
	}

	private Map<String, Object> read(PathMappedEndpoints paths) {
		Map<String, Object> status = new LinkedHashMap<>(this.endpoint.ringKernels());
		status.put("application", application());
		status.put("endpoint", way(paths));
		status.put("actions", this.access.accessFor(KERNELS, Access.READ_ONLY) == Access.UNRESTRICTED);
		Map<String, Object> near = new LinkedHashMap<>();
		this.runtime.kernels().forEach((kernel) -> near.put(kernel.id(), near(kernel)));
		status.put("near", near);
		return status;
	}

	private Map<String, Object> application() {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("name", this.context.getEnvironment().getProperty("spring.application.name", "application"));
		details.put("pid", ProcessHandle.current().pid());
		details.put("uptimeMillis", System.currentTimeMillis() - this.context.getStartupDate());
		details.put("processors", Runtime.getRuntime().availableProcessors());
		this.registry.ifAvailable((registry) -> details.putAll(ProcessMeters.read(registry)));
		return details;
	}

	/**
	 * How to get from what lies below the dashboard to the endpoint of the kernels. It is
	 * relative: a proxy may have put something before both.
	 */
	private static String way(PathMappedEndpoints paths) {
		String dashboard = String.valueOf(paths.getRootPath(DASHBOARD));
		int up = StringUtils.countOccurrencesOf(dashboard, "/") + 1;
		return "../".repeat(up) + paths.getRootPath(KERNELS);
	}

	private static Map<String, Object> bucket(LatencyBucket bucket) {
		return Map.of("from", bucket.fromNanos(), "below", bucket.belowNanos(), "count", bucket.count());
	}

	private Map<String, Object> near(Kernel<?, ?> kernel) {
		Map<String, Object> rings = new LinkedHashMap<>();
		for (Kernel<?, ?> replica : kernel.replicas()) {
			replica.dump().ifPresent((dump) -> {
				StringBuilder slots = new StringBuilder();
				for (SlotDump slot : dump.ring().slots()) {
					slots.append(slot.state().name().charAt(0));
				}
				Map<String, Object> ring = new LinkedHashMap<>();
				ring.put("slots", slots.toString());
				ring.put("violations", dump.violations());
				rings.put(replica.id(), ring);
			});
		}
		return Map.of("rings", rings, "buckets",
				kernel.timings().totalBuckets().stream().map(DashboardStatus::bucket).toList());
	}

}
