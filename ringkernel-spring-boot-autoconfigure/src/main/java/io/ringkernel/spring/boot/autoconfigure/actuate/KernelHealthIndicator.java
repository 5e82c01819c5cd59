package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.KernelState;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelStatus;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of one kernel: up while it is active, whatever it runs on; down when it has
 * failed; out of service in every other state. It reads counters and blocks on nothing.
 */
final class KernelHealthIndicator implements HealthIndicator {

	private final Kernel<?, ?> kernel;

	KernelHealthIndicator(Kernel<?, ?> kernel) {
		this.kernel = kernel;
	}

	@Override
	public Health health() {
		try {
			KernelStatus status = this.kernel.status();
			return Health.status(statusOf(status.state())).withDetails(KernelDetails.of(status)).build();
		}
		// A linkage error of a driver's binding is no exception.
		catch (RuntimeException | Error ex) {
			return Health.down(ex).build();
		}
	}

	private static Status statusOf(KernelState state) {
		return switch (state) {
			case ACTIVE -> Status.UP;
			case FAILED -> Status.DOWN;
			case CREATED, LAUNCHED, INACTIVE, TERMINATING, TERMINATED -> Status.OUT_OF_SERVICE;
		};
	}

}
