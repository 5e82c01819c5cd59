package io.ringkernel.spring.boot.autoconfigure.actuate;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * {@link ManagementContextConfiguration @ManagementContextConfiguration} that lets
 * {@link ReactiveRingKernelsEndpointWebExtension} see its request.
 *
 * @since 0.2.0
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(ReactiveRingKernelsEndpointWebExtension.class)
public class ReactiveRingKernelsManagementContextConfiguration {

	ReactiveRingKernelsManagementContextConfiguration() {
	}

	/** The filters of a parent do not serve a management server of its own. */
	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ServerWebExchangeContextFilter ringKernelsExchangeContextFilter() {
		return new ServerWebExchangeContextFilter();
	}

}
