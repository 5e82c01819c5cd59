package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.Capacity;
import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.RingKernel;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelAutoConfiguration}.
 */
class RingKernelAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
		.withPropertyValues("ringkernel.defaults.workers=1");

	@Test
	void clientIsInjectedByItsTypeArguments() {
		this.contextRunner.withUserConfiguration(TwoKernels.class, ByTypeArguments.class).run((context) -> {
			ByTypeArguments clients = context.getBean(ByTypeArguments.class);
			assertThat(clients.doubling.call(new Number(21))).isEqualTo(new Number(42));
			assertThat(clients.length.call(new Number(3)).text()).isEqualTo("xxx");
			assertThat(context.getBean("doubling.kernel", Kernel.class).state()).isEqualTo(KernelState.ACTIVE);
		});
	}

	@Test
	void clientIsInjectedByIdAsQualifier() {
		this.contextRunner.withUserConfiguration(TwoKernels.class, ByQualifier.class).run((context) -> {
			assertThat(context.getBean(ByQualifier.class).client.call(new Number(2)).value()).isEqualTo(4);
		});
	}

	record Number(int value) {
	}

	record Text(@Capacity(64) String text) {
	}

	@RingKernel(id = "doubling")
	static class Doubling implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return new Number(request.value() * 2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Doubling.class)
	static class TwoKernels {

		@Bean
		@RingKernel(id = "repeat")
		RingKernelHandler<Number, Text> repeat() {
			return (request) -> new Text("x".repeat(request.value()));
		}

	}

	static class ByTypeArguments {

		private final RingKernelClient<Number, Number> doubling;

		private final RingKernelClient<Number, Text> length;

		ByTypeArguments(RingKernelClient<Number, Number> doubling, RingKernelClient<Number, Text> length) {
			this.doubling = doubling;
			this.length = length;
		}

	}

	static class ByQualifier {

		private final RingKernelClient<Number, Number> client;

		ByQualifier(@Qualifier("doubling") RingKernelClient<Number, Number> client) {
			this.client = client;
		}

	}

}
