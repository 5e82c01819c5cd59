package io.ringkernel.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.ringkernel.RequestPriority;
import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.RingKernelLifecycle;
import io.ringkernel.spring.RingKernelsDisabledException;
import io.ringkernel.spring.exchange.ImportRingKernelExchanges;
import io.ringkernel.spring.exchange.RingKernelExchange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DisabledRingKernelAutoConfiguration}.
 */
class DisabledRingKernelAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EveryPart.classes()))
		.withUserConfiguration(TwiceAndRepeat.class, ImportsCalls.class)
		.withBean(Caller.class)
		.withPropertyValues("ringkernel.enabled=false");

	@Test
	void applicationStartsAndRunsNoKernel() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(RingKernelRuntime.class)
			.doesNotHaveBean(RingKernelLifecycle.class)
			.doesNotHaveBean(Kernel.class));
	}

	@Test
	void everyCallOfAClientFails() {
		this.contextRunner.run((context) -> {
			RingKernelClient<Number, Number> client = context.getBean(Caller.class).twice;
			Number number = new Number(1);
			assertThat(client.kernelId()).isEqualTo("twice");
			assertThatItIsDisabled(() -> client.call(number));
			assertThatItIsDisabled(() -> client.call(number, Duration.ofSeconds(1)));
			assertThatItIsDisabled(() -> client.submit(number));
			assertThatItIsDisabled(() -> client.submit(number, Duration.ofSeconds(1)));
			assertThatItIsDisabled(() -> client.trySubmit(number));
			assertThatItIsDisabled(() -> client.trySubmit(number, Duration.ofSeconds(1)));
			assertThatItIsDisabled(() -> client.send(number));
			assertThatItIsDisabled(() -> client.send(number, Duration.ofSeconds(1)));
			assertThatItIsDisabled(() -> client.callAll(List.of(number)));
			assertThatItIsDisabled(() -> client.callAll(List.of(number), Duration.ofSeconds(1)));
			assertThatItIsDisabled(client::openStream);
			assertThatItIsDisabled(() -> client.withPriority(RequestPriority.BACKGROUND).call(number));
		});
	}

	@Test
	void everyCallOfAnImportedInterfaceFails() {
		this.contextRunner.run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThatItIsDisabled(() -> calls.twice(new Number(1)));
			StepVerifier.create(calls.mono(new Number(1))).verifyError(RingKernelsDisabledException.class);
		});
	}

	@Test
	void absentWhileKernelsAreEnabled() {
		this.contextRunner.withPropertyValues("ringkernel.enabled=true")
			.run((context) -> assertThat(context).doesNotHaveBean(DisabledRingKernelAutoConfiguration.class)
				.hasSingleBean(RingKernelRuntime.class));
	}

	private static void assertThatItIsDisabled(ThrowingCallable call) {
		assertThatExceptionOfType(RingKernelsDisabledException.class).isThrownBy(call)
			.withMessage("Ring kernel 'twice' cannot be called: ring kernels are disabled. "
					+ "Set ringkernel.enabled to true.")
			.satisfies((ex) -> assertThat(ex.kernelId()).isEqualTo("twice"));
	}

	@RingKernelExchange("twice")
	interface Calls {

		Number twice(Number number);

		Mono<Number> mono(Number number);

	}

	@ImportRingKernelExchanges(types = Calls.class)
	static class ImportsCalls {

	}

	static class Caller {

		private final RingKernelClient<Number, Number> twice;

		Caller(RingKernelClient<Number, Number> first,
				@Qualifier("repeat-text") RingKernelClient<Number, Text> second) {
			this.twice = first;
			assertThat(second.kernelId()).isEqualTo("repeat-text");
		}

	}

}
