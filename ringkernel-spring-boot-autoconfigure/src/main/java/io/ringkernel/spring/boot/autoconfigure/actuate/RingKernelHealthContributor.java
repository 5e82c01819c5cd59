package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.stream.Stream;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;

/**
 * The health of all kernels, each under its id.
 *
 * @since 0.1.0
 */
public class RingKernelHealthContributor implements CompositeHealthContributor {

	private final RingKernelRuntime runtime;

	/**
	 * Creates the contributor.
	 * @param runtime the runtime whose kernels it reports
	 */
	public RingKernelHealthContributor(RingKernelRuntime runtime) {
		this.runtime = runtime;
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return this.runtime.kernel(name).map(this::indicator).orElse(null);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return this.runtime.kernels()
			.stream()
			.map((kernel) -> new HealthContributors.Entry(kernel.id(), indicator(kernel)));
	}

	private HealthContributor indicator(Kernel<?, ?> kernel) {
		return new KernelHealthIndicator(kernel, this.runtime.request().backend());
	}

}
