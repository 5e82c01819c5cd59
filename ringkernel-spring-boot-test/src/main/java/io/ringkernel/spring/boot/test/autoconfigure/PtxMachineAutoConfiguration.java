package io.ringkernel.spring.boot.test.autoconfigure;

import java.time.Duration;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.test.ptx.PtxMachine;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a {@link PtxMachine}.
 *
 * @see AutoConfigurePtxMachine
 * @since 0.2.0
 */
@AutoConfiguration(before = RingKernelAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
public final class PtxMachineAutoConfiguration {

	/** What a device answers within a millisecond may take the machine seconds. */
	private static final Duration LEAST_REQUEST_TIMEOUT = Duration.ofMinutes(1);

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

	/** Comes first, so that a test can shorten the timeout by a customizer of its own. */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	KernelOptionsCustomizer ptxMachineRequestTimeout() {
		return (kernelId, options) -> (options.requestTimeout().compareTo(LEAST_REQUEST_TIMEOUT) < 0)
				? options.toBuilder().requestTimeout(LEAST_REQUEST_TIMEOUT).build() : options;
	}

}
