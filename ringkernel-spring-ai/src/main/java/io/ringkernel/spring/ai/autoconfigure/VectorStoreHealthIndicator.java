package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.KernelState;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.VectorStoreStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of a vector store: up while its kernel is active; down when that has failed,
 * or the documents could not be loaded into it, or the last change could not be written;
 * out of service in every other state of the kernel. It asks neither the kernel nor the
 * embedding model for anything.
 *
 * @since 0.2.0
 */
public class VectorStoreHealthIndicator implements HealthIndicator {

	private final RingKernelVectorStore store;

	/**
	 * Creates the indicator.
	 * @param store the store that it reports
	 */
	public VectorStoreHealthIndicator(RingKernelVectorStore store) {
		this.store = store;
	}

	@Override
	public Health health() {
		VectorStoreStatus status = this.store.status();
		KernelState state = this.store.kernel().state();
		String problem = problem(status, state);
		Health.Builder health = (problem != null) ? Health.down().withDetail("problem", problem)
				: (state == KernelState.ACTIVE) ? Health.up() : Health.outOfService();
		if (status.graph() != null) {
			health.withDetail("graph", status.graph());
		}
		return health.withDetail("documents", status.documents())
			.withDetail("dimensions", status.dimensions())
			.withDetail("kernel", this.store.kernel().id())
			.withDetail("state", state)
			.build();
	}

	private static @Nullable String problem(VectorStoreStatus status, KernelState state) {
		return (state == KernelState.FAILED) ? "The kernel that searches has failed. See its health."
				: status.problem();
	}

}
