package io.ringkernel.sampletest;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * The client of the running application.
 */
@TestConfiguration(proxyBeanMethods = false)
public class RestClients {

	@Bean
	@Lazy
	RestTestClient restTestClient(Environment environment) {
		return RestTestClient.bindToServer()
			.baseUrl("http://localhost:" + environment.getRequiredProperty("local.server.port"))
			.build();
	}

}
