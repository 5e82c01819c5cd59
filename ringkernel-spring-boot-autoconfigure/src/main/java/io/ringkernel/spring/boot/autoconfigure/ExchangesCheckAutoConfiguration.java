package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.spring.exchange.RingKernelProxyFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the check that every imported
 * interface can call its kernels. It is separate because a test of some kernels imports
 * the interfaces of all of them.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = { RingKernelAutoConfiguration.class, DisabledRingKernelAutoConfiguration.class })
@ConditionalOnBean(RingKernelProxyFactory.class)
public final class ExchangesCheckAutoConfiguration {

	ExchangesCheckAutoConfiguration() {
	}

	@Bean
	ExchangesCheck ringKernelExchangesCheck(RingKernelProxyFactory factory) {
		return new ExchangesCheck(factory);
	}

}
