package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of what kernels run on: up, also where that is the CPU for want of a device,
 * with the reasons; down where this process has lost its device, or where CUDA was
 * demanded and is not what kernels run on. It calls no driver and blocks on nothing.
 */
public class RingKernelPlatformHealthIndicator implements HealthIndicator {

	private final RingKernelRuntime runtime;

	/**
	 * Creates the indicator.
	 * @param runtime the runtime whose platform it reports
	 */
	public RingKernelPlatformHealthIndicator(RingKernelRuntime runtime) {
		this.runtime = runtime;
	}

	@Override
	public Health health() {
		try {
			ExecutionPlan plan = this.runtime.plan();
			BackendKind demanded = this.runtime.request().backend();
			Throwable lost = this.runtime.platformFailure();
			boolean missing = demanded == BackendKind.CUDA && plan.backend() != BackendKind.CUDA;
			Health.Builder health = (lost != null || missing) ? Health.down() : Health.up();
			if (lost != null) {
				health.withDetail("problem",
						"This process has lost the device: %s Restart the application.".formatted(lost.getMessage()));
			}
			return health.withDetail("demanded", (demanded != null) ? ConfiguredName.of(demanded) : "auto")
				.withDetails(KernelDetails.platform(plan))
				.build();
		}
		// A linkage error of a driver's binding is no exception.
		catch (RuntimeException | Error ex) {
			return Health.down(ex).build();
		}
	}

}
