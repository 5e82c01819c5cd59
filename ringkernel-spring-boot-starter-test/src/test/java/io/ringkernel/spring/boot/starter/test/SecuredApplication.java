package io.ringkernel.spring.boot.starter.test;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * An application with a kernel, Spring Security and users, whose passwords are their
 * names.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(SecuredApplication.Echo.class)
class SecuredApplication {

	static final String MONITORING = "prometheus";

	static final String OPERATOR = "operator";

	/** Has no role that a rule names. */
	static final String GUEST = "guest";

	@Bean
	InMemoryUserDetailsManager users() {
		return new InMemoryUserDetailsManager(user(MONITORING, "MONITORING"), user(OPERATOR, "OPERATOR"),
				user(GUEST, "GUEST"));
	}

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}" + name).roles(role).build();
	}

	record Ping(int value) {
	}

	record Pong(int value) {
	}

	@RingKernel(id = "echo")
	static class Echo implements RingKernelHandler<Ping, Pong> {

		@Override
		public Pong handle(Ping request) {
			return new Pong(request.value());
		}

	}

}
