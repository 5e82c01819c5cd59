package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.test.fault.RingKernelFaults;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernelFaults}.
 *
 * @see AutoConfigureRingKernelFaults
 * @since 0.1.0
 */
@AutoConfiguration(before = RingKernelAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
public final class RingKernelFaultsAutoConfiguration {

	RingKernelFaultsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelFaults ringKernelFaults(ObjectProvider<RingKernelRuntime> runtime) {
		return new RingKernelFaults(runtime::getObject);
	}

	@Bean
	BackendProvider faultInjectingDevice(RingKernelFaults faults) {
		return faults.providers().get(0);
	}

	@Bean
	BackendProvider faultInjectingCpu(RingKernelFaults faults) {
		return faults.providers().get(1);
	}

}
