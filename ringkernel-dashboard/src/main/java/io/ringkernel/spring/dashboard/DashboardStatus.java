package io.ringkernel.spring.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.ring.SlotDump;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelsEndpoint;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.util.StringUtils;

/**
 * What the page shows: the body of {@code ringkernels}, and for each kernel its slots and
 * the buckets of its latency. Messages of errors are shown only if everybody may see
 * them, since a stream outlives the request that has opened it.
 */
final class DashboardStatus {

	static final EndpointId DASHBOARD = EndpointId.of(RingKernelsDashboardEndpoint.ID);

	private static final EndpointId KERNELS = EndpointId.of("ringkernels");

	/** More than a page can show as cells of their own. */
	private static final int MOST_SLOTS = 1024;

	private final RingKernelsEndpoint endpoint;

	private final RingKernelRuntime runtime;

	private final EndpointAccessResolver access;

	private final LatencyBuckets latency;

	DashboardStatus(RingKernelsEndpoint endpoint, RingKernelRuntime runtime, EndpointAccessResolver access,
			LatencyBuckets latency) {
		this.endpoint = endpoint;
		this.runtime = runtime;
		this.access = access;
		this.latency = latency;
	}

	/**
	 * The status of this moment.
	 * @param paths where the endpoints are
	 * @return names and values
	 */
	Map<String, Object> read(PathMappedEndpoints paths) {
		Map<String, Object> status = new LinkedHashMap<>(this.endpoint.ringKernels());
		status.put("endpoint", way(paths));
		status.put("actions", this.access.accessFor(KERNELS, Access.READ_ONLY) == Access.UNRESTRICTED);
		Map<String, Object> near = new LinkedHashMap<>();
		this.runtime.kernels().forEach((kernel) -> near.put(kernel.id(), near(kernel)));
		status.put("near", near);
		return status;
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

	private Map<String, Object> near(Kernel<?, ?> kernel) {
		Map<String, Object> rings = new LinkedHashMap<>();
		for (Kernel<?, ?> replica : kernel.replicas()) {
			replica.dump().ifPresent((dump) -> {
				StringBuilder slots = new StringBuilder();
				for (SlotDump slot : dump.ring().slots()) {
					slots.append(slot.state().name().charAt(0));
				}
				Map<String, Object> ring = new LinkedHashMap<>();
				ring.put("total", slots.length());
				ring.put("slots", slots.substring(0, Math.min(slots.length(), MOST_SLOTS)));
				ring.put("violations", dump.violations());
				rings.put(replica.id(), ring);
			});
		}
		return Map.of("rings", rings, "buckets", this.latency.of(kernel.id()));
	}

}
