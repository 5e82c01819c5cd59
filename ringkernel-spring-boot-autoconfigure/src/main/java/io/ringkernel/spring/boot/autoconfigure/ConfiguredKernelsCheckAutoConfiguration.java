package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the check that every kernel that
 * is configured exists. Apart from the kernels themselves, because a test of some of them
 * has the configuration of all.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class)
@ConditionalOnBean({ RingKernelProperties.class, RingKernelRuntime.class })
public final class ConfiguredKernelsCheckAutoConfiguration {

	ConfiguredKernelsCheckAutoConfiguration() {
	}

	@Bean
	ConfiguredKernelsCheck ringKernelConfiguredKernelsCheck(Environment environment, RingKernelRuntime runtime,
			ObjectProvider<Kernel<?, ?>> kernels) {
		return new ConfiguredKernelsCheck(environment, runtime, kernels);
	}

}
