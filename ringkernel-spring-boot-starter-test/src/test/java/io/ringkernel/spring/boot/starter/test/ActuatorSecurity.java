package io.ringkernel.spring.boot.starter.test;

import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest.EndpointRequestMatcher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Monitoring reads, operators act, and health answers everybody. As
 * {@code docs/security.md} shows it.
 */
@Configuration(proxyBeanMethods = false)
class ActuatorSecurity {

	@Bean
	SecurityFilterChain actuatorFilterChain(HttpSecurity http) throws Exception {
		EndpointRequestMatcher acting = EndpointRequest.to("ringkernels", "vectorstore", "ringkernelmodels");
		return http.securityMatcher(EndpointRequest.toAnyEndpoint())
			.authorizeHttpRequests((requests) -> requests.requestMatchers(EndpointRequest.to("health"))
				.permitAll()
				.requestMatchers(acting.withHttpMethod(HttpMethod.POST))
				.hasRole("OPERATOR")
				.anyRequest()
				.hasAnyRole("MONITORING", "OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.sessionManagement((session) -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf((csrf) -> csrf.ignoringRequestMatchers(acting))
			.build();
	}

}
