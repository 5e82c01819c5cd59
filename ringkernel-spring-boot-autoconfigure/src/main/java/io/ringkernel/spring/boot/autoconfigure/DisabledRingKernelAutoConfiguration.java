package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.spring.RingKernelRegistrar;
import io.ringkernel.spring.exchange.RingKernelProxyFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for applications whose ring kernels
 * are disabled by {@code ringkernel.enabled}. They start: their clients and declared
 * clients are there, and fail when they are called.
 *
 * @since 0.2.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", havingValue = false)
public final class DisabledRingKernelAutoConfiguration {

	DisabledRingKernelAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static RingKernelRegistrar ringKernelRegistrar(Environment environment) {
		return new RingKernelRegistrar(false, RingKernelAutoConfiguration.areFunctionsRegistered(environment),
				(kernelId, declared) -> declared);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	RingKernelProxyFactory ringKernelProxyFactory(ConfigurableListableBeanFactory beanFactory) {
		return new RingKernelProxyFactory(beanFactory);
	}

}
