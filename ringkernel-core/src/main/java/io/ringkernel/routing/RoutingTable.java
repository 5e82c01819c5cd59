package io.ringkernel.routing;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.RequestPriority;
import io.ringkernel.RingKernelClient;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that requests go to at some moment, and who chooses among them.
 */
final class RoutingTable<I extends Record, O extends Record> {

	private final Router<I> router;

	private final List<RingKernelClient<I, O>> clients;

	private final Map<RequestPriority, List<RingKernelClient<I, O>>> clientsOfPriority = new EnumMap<>(
			RequestPriority.class);

	RoutingTable(Router<I> router, List<? extends Replica<I, O>> replicas) {
		this.router = router;
		this.clients = replicas.stream().<RingKernelClient<I, O>>map(Replica::client).toList();
		for (RequestPriority priority : RequestPriority.values()) {
			this.clientsOfPriority.put(priority,
					this.clients.stream().map((client) -> client.withPriority(priority)).toList());
		}
	}

	Router<I> router() {
		return this.router;
	}

	/** The clients of the replicas, by their number. */
	List<RingKernelClient<I, O>> clients(@Nullable RequestPriority priority) {
		return (priority != null) ? Objects.requireNonNull(this.clientsOfPriority.get(priority)) : this.clients;
	}

}
