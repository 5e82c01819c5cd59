package io.ringkernel.spring.boot.starter;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application that has the starter and nothing else.
 */
@ExtendWith(OutputCaptureExtension.class)
class StarterTests {

	@Test
	void kernelsRunWithoutWebAndActuator(CapturedOutput output) {
		for (String absent : new String[] { "org.springframework.web.context.WebApplicationContext",
				"org.springframework.boot.actuate.endpoint.annotation.Endpoint",
				"org.springframework.boot.health.contributor.HealthContributor" }) {
			assertThat(ClassUtils.isPresent(absent, getClass().getClassLoader())).as(absent).isFalse();
		}
		try (ConfigurableApplicationContext context = SpringApplication.run(Application.class)) {
			@SuppressWarnings("unchecked")
			RingKernelClient<Ping, Pong> client = context.getBean("echo", RingKernelClient.class);
			assertThat(client.call(new Ping(7))).isEqualTo(new Pong(7));
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("ringkernel."))).singleElement()
			.asString()
			.contains(" INFO ", "Ring kernels run on backend ");
		assertThat(output).doesNotContain(" WARN ", " ERROR ");
	}

	record Ping(int value) {
	}

	record Pong(int value) {
	}

	@SpringBootApplication
	@Import(EchoHandler.class)
	static class Application {

	}

	@RingKernel(id = "echo")
	static class EchoHandler implements RingKernelHandler<Ping, Pong> {

		@Override
		public Pong handle(Ping request) {
			return new Pong(request.value());
		}

	}

}
