package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.platform.HostStatus;

/** Kernel hosts as names and raw values, the same for health and endpoint. */
final class HostDetails {

	private HostDetails() {
	}

	/** Adds the kernel hosts, if there are any. */
	static void add(Map<String, Object> details, List<HostStatus> hosts) {
		if (!hosts.isEmpty()) {
			details.put("hosts", hosts.stream().map(HostDetails::of).toList());
		}
	}

	private static Map<String, Object> of(HostStatus host) {
		Map<String, Object> details = new LinkedHashMap<>();
		Instant startedAt = host.startedAt();
		if (startedAt != null) {
			details.put("pid", host.pid());
			details.put("startedAt", startedAt.toString());
			details.put("uptimeMillis", Duration.between(startedAt, Instant.now()).toMillis());
		}
		details.put("devices", host.devices());
		details.put("crashes", host.crashes());
		details.put("restarts", host.restarts());
		details.put("outageMillis", host.outage().toMillis());
		if (host.lastExit() != null) {
			details.put("lastExit", host.lastExit());
		}
		details.put("quarantined", host.quarantined().stream().sorted().toList());
		return details;
	}

	/**
	 * What is wrong with those that have ended and that no other one has replaced yet.
	 */
	static List<String> lost(List<HostStatus> hosts) {
		return hosts.stream()
			.filter(HostStatus::isLost)
			.map((host) -> "The kernel host has ended: %s. RingKernel starts another one.".formatted(host.lastExit()))
			.toList();
	}

}
