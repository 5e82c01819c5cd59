package io.ringkernel.spring.boot.autoconfigure.observation;

import io.micrometer.context.ContextSnapshotFactory;
import io.ringkernel.backend.RequestContext;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.observation.MicrometerRequestContext;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the context that a caller's
 * thread hands to the handler of its request, with Micrometer's context propagation.
 *
 * @since 0.2.0
 */
@AutoConfiguration(before = RingKernelAutoConfiguration.class)
@ConditionalOnClass(ContextSnapshotFactory.class)
public final class RingKernelContextAutoConfiguration {

	RingKernelContextAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RequestContext ringKernelRequestContext(ObjectProvider<ContextSnapshotFactory> factory) {
		ContextSnapshotFactory own = factory.getIfUnique();
		return (own != null) ? new MicrometerRequestContext(() -> own) : new MicrometerRequestContext();
	}

}
