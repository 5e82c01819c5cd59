package io.ringkernel.spring.boot.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.metrics.RingKernelMetrics;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernelMetrics}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({ MeterRegistry.class, MeterBinder.class })
@ConditionalOnBean({ RingKernelRuntime.class, MeterRegistry.class })
public final class RingKernelMetricsAutoConfiguration {

	RingKernelMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelMetrics ringKernelMetrics(RingKernelRuntime runtime, ObjectProvider<Kernel<?, ?>> kernels) {
		return new RingKernelMetrics(runtime, () -> {
			// A bean defines its kernel in the runtime when it is created.
			kernels.forEach(Kernel::id);
			return runtime.kernels();
		});
	}

}
