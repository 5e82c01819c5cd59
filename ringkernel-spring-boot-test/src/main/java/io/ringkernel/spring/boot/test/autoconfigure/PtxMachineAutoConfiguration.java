package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.test.ptx.PtxMachine;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a {@link PtxMachine}.
 *
 * @see AutoConfigurePtxMachine
 * @since 0.2.0
 */
@AutoConfiguration(before = RingKernelAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
public final class PtxMachineAutoConfiguration {

	PtxMachineAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	PtxMachine ptxMachine() {
		return new PtxMachine();
	}

	@Bean
	BackendProvider ptxMachineDevice(PtxMachine machine) {
		return machine.provider();
	}

	@Bean
	BackendProvider ptxMachineHost() {
		return new CpuBackendProvider();
	}

}
