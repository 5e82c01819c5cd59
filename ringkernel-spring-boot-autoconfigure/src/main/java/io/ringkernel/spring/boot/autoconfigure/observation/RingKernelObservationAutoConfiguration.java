package io.ringkernel.spring.boot.autoconfigure.observation;

import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.observation.RingKernelObservationConvention;
import io.ringkernel.spring.observation.RingKernelObservationPostProcessor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the observation of calls.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ RingKernelRuntime.class, ObservationRegistry.class })
public final class RingKernelObservationAutoConfiguration {

	RingKernelObservationAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static RingKernelObservationPostProcessor ringKernelObservationPostProcessor(
			ObjectProvider<ObservationRegistry> registry, ObjectProvider<RingKernelObservationConvention> convention,
			ObjectProvider<ObservationHandler<?>> handlers, ObjectProvider<RingKernelRuntime> runtime) {
		return new RingKernelObservationPostProcessor(registry, convention, handlers, runtime);
	}

}
