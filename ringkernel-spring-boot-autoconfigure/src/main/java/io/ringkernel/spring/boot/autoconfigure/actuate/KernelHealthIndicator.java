package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.KernelState;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.routing.Routing;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of one kernel: up while it is active, whatever it runs on; down when it has
 * failed, is stuck, or runs on the CPU although CUDA was demanded; out of service in
 * every other state. A kernel with replicas is up while any of them is or, if requests
 * are routed by key, while all of them are. It reads what host and device have written to
 * memory, calls no driver and blocks on nothing.
 */
record KernelHealthIndicator(Kernel<?, ?> kernel, @Nullable BackendKind demanded) implements HealthIndicator {

	@Override
	public Health health() {
		try {
			if (this.kernel.replicas().size() > 1) {
				return healthOfReplicas();
			}
			KernelStatus status = this.kernel.status();
			String problem = problem(status);
			Health.Builder health = Health.status((problem != null) ? Status.DOWN : statusOf(status.state()));
			if (problem != null) {
				health.withDetail("problem", problem);
			}
			this.kernel.stateOrigin()
				.ifPresent((origin) -> health.withDetail("keptState", KernelDetails.keptState(origin)));
			return health.withDetails(KernelDetails.of(status)).build();
		}
		// A linkage error of a driver's binding is no exception.
		catch (RuntimeException | Error ex) {
			return Health.down(ex).build();
		}
	}

	private Health healthOfReplicas() {
		Map<String, Health> healths = new LinkedHashMap<>();
		this.kernel.replicas()
			.forEach(
					(replica) -> healths.put(replica.id(), new KernelHealthIndicator(replica, this.demanded).health()));
		List<Status> statuses = healths.values().stream().map(Health::getStatus).toList();
		List<Status> precedence = (this.kernel.routing() == Routing.KEY)
				? List.of(Status.DOWN, Status.OUT_OF_SERVICE, Status.UP)
				: List.of(Status.UP, Status.DOWN, Status.OUT_OF_SERVICE);
		Status status = precedence.stream().filter(statuses::contains).findFirst().orElseThrow();
		return Health.status(status)
			.withDetails(KernelDetails.of(this.kernel.status()))
			.withDetail("replicas", healths)
			.build();
	}

	private @Nullable String problem(KernelStatus status) {
		if (status.state() == KernelState.FAILED) {
			return this.kernel.isDeviceLost()
					? "The kernel has failed, and this process has lost its device. Restart the application, and look at lastFailure."
					: "The kernel has failed. Relaunch it, and look at lastFailure.";
		}
		if (status.stuck()) {
			return ("Nothing was answered for longer than the request timeout, and the oldest request waits for %d ms. "
					+ "Look for a handler that does not return, or raise request-timeout.")
				.formatted(status.oldestRequestAge().toMillis());
		}
		if (this.demanded == BackendKind.CUDA && status.plan().backend() != BackendKind.CUDA) {
			return "The kernel runs on the CPU, and ringkernel.backend is 'cuda'. Set it to auto to allow that.";
		}
		return null;
	}

	private static Status statusOf(KernelState state) {
		return switch (state) {
			case ACTIVE -> Status.UP;
			case FAILED -> Status.DOWN;
			case CREATED, LAUNCHED, INACTIVE, TERMINATING, TERMINATED -> Status.OUT_OF_SERVICE;
		};
	}

}
