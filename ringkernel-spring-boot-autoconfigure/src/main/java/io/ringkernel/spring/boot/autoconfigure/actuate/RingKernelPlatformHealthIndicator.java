package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.List;
import java.util.Map;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.runtime.DeviceStatus;
import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of what kernels run on: up, also where that is the CPU for want of a device,
 * with the reasons; down where this process has lost a device, where a kernel host has
 * ended and no other one runs yet, or where CUDA was demanded and is not what kernels run
 * on. It calls no driver and blocks on nothing.
 *
 * @since 0.1.0
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
			List<DeviceStatus> devices = this.runtime.devices();
			BackendKind demanded = this.runtime.request().backend();
			List<HostStatus> hosts = this.runtime.hosts();
			List<String> lost = KernelDetails.lost(devices);
			if (lost.isEmpty()) {
				lost = HostDetails.lost(hosts);
			}
			boolean missing = demanded == BackendKind.CUDA && this.runtime.plan().backend() != BackendKind.CUDA;
			Health.Builder health = (!lost.isEmpty() || missing) ? Health.down() : Health.up();
			if (!lost.isEmpty()) {
				health.withDetail("problem", String.join(" ", lost));
			}
			Map<String, Object> platform = KernelDetails.platform(devices);
			HostDetails.add(platform, hosts);
			return health.withDetail("demanded", (demanded != null) ? ConfiguredName.of(demanded) : "auto")
				.withDetails(platform)
				.build();
		}
		// A linkage error of a driver's binding is no exception.
		catch (RuntimeException | Error ex) {
			return Health.down(ex).build();
		}
	}

}
