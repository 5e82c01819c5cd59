package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.Map;

import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Tells what kernels run on, as {@code ringkernel}: the device with its driver, compute
 * capability and memory where there is one, and the plan with its reasons.
 *
 * @since 0.1.0
 */
public class RingKernelInfoContributor implements InfoContributor {

	private final RingKernelRuntime runtime;

	/**
	 * Creates the contributor.
	 * @param runtime the runtime that it tells of
	 */
	public RingKernelInfoContributor(RingKernelRuntime runtime) {
		this.runtime = runtime;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> platform = KernelDetails.platform(this.runtime.devices());
		builder.withDetail("ringkernel", platform);
	}

}
