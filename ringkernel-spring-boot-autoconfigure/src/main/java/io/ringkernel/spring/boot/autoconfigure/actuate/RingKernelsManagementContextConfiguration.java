package io.ringkernel.spring.boot.autoconfigure.actuate;

import jakarta.servlet.Filter;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.filter.RequestContextFilter;

/**
 * {@link ManagementContextConfiguration @ManagementContextConfiguration} for what guards
 * {@link RingKernelsEndpoint} on the port of its own or of the application.
 *
 * @since 0.2.0
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({ Filter.class, OncePerRequestFilter.class })
@ConditionalOnBean(RingKernelsEndpoint.class)
public class RingKernelsManagementContextConfiguration {

	RingKernelsManagementContextConfiguration() {
	}

	/** Jersey binds no request to the thread that serves it; Spring MVC does. */
	@Bean
	@ConditionalOnMissingClass("org.springframework.web.servlet.DispatcherServlet")
	FilterRegistrationBean<RequestContextFilter> ringKernelsRequestContextFilter() {
		FilterRegistrationBean<RequestContextFilter> registration = new FilterRegistrationBean<>(
				new RequestContextFilter());
		registration.setName("ringKernelsRequestContextFilter");
		return registration;
	}

	@Bean
	FilterRegistrationBean<UnsupportedContentTypeFilter> ringKernelsUnsupportedContentTypeFilter(
			PathMappedEndpoints endpoints) {
		String path = endpoints.getPath(EndpointId.of(RingKernelsEndpoint.ID));
		return new FilterRegistrationBean<>(
				new UnsupportedContentTypeFilter((path != null) ? path : "/" + RingKernelsEndpoint.ID));
	}

}
