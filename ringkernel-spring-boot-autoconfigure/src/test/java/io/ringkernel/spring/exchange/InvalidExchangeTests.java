package io.ringkernel.spring.exchange;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.RequestPriority;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.UnknownKernelIdException;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for interfaces that cannot be clients, which is said when they are made one.
 */
class InvalidExchangeTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class)
		.withPropertyValues("ringkernel.defaults.workers=1");

	interface NoKernel {

		Number twice(Number number);

	}

	@RingKernelExchange("twise")
	interface UnknownKernel {

		Number twice(Number number);

	}

	@RingKernelExchange("twice")
	interface NoRequest {

		Number twice(Duration timeout);

	}

	@RingKernelExchange("twice")
	interface TwoRequests {

		Number twice(Number one, Number other);

	}

	@RingKernelExchange("twice")
	interface TwoTimeouts {

		Number twice(Number one, Duration timeout, Duration other);

	}

	@RingKernelExchange("twice")
	interface SilentVoid {

		void twice(Number number);

	}

	@RingKernelExchange(value = "twice", oneWay = true)
	interface OneWayWithResult {

		Number twice(Number number);

	}

	@RingKernelExchange("twice")
	interface WrongResult {

		String twice(Number number);

	}

	@RingKernelExchange("twice")
	interface WrongBatch {

		Number twice(List<Number> numbers);

	}

	@RingKernelExchange("twice")
	interface WrongStream {

		Mono<Number> twice(Flux<Number> numbers);

	}

	@RingKernelExchange("twice")
	interface RawBatch {

		@SuppressWarnings("rawtypes")
		List twice(List numbers);

	}

	@RingKernelExchange("twice")
	interface OtherRequest {

		Number twice(Text text);

	}

	@RingKernelExchange("twice")
	interface OtherResponse {

		CompletableFuture<Text> twice(Number number);

	}

	@RingKernelExchange(value = "twice", timeout = "soon")
	interface OddTimeout {

		Number twice(Number number);

	}

	@RingKernelExchange(value = "twice", timeout = "0s")
	interface NoTimeout {

		Number twice(Number number);

	}

	@RingKernelExchange(value = "twice", timeout = "366d")
	interface EndlessTimeout {

		Number twice(Number number);

	}

	@RingKernelExchange(value = "twice", inFlight = -1)
	interface NegativeInFlight {

		Number twice(Number number);

	}

	@RingKernelExchange(value = "twice", priority = { RequestPriority.NORMAL, RequestPriority.BACKGROUND })
	interface TwoPriorities {

		Number twice(Number number);

	}

	@Test
	void methodsThatCannotCallTheirKernelAreRefused() {
		this.contextRunner.run((context) -> {
			refused(context, NoKernel.class, "says of no kernel");
			refused(context, NoRequest.class, "takes no request");
			refused(context, TwoRequests.class, "two parameters of which it can have one: Number and Number");
			refused(context, TwoTimeouts.class, "two parameters of which it can have one: Duration and Duration");
			refused(context, SilentVoid.class, "does not say that the response is discarded", "oneWay = true");
			refused(context, OneWayWithResult.class, "is one-way and returns Number");
			refused(context, WrongResult.class, "takes Number and returns String");
			refused(context, WrongBatch.class, "takes List and returns Number");
			refused(context, WrongStream.class, "takes Flux and returns Mono");
			refused(context, RawBatch.class, "does not say which record is the request");
			refused(context, OtherRequest.class, "has the record " + Text.class.getName(),
					"the kernel 'twice' takes the record " + Number.class.getName());
			refused(context, OtherResponse.class, "the kernel 'twice' answers with the record");
			refused(context, OddTimeout.class, "has the timeout 'soon', which is no duration");
			refused(context, NoTimeout.class, "has the timeout '0s', which is not positive");
			refused(context, EndlessTimeout.class, "has the timeout '366d', which is more than 365 days");
			refused(context, NegativeInFlight.class, "inFlight = -1");
			refused(context, TwoPriorities.class, "has 2 priorities");
		});
	}

	@Test
	void aClassIsRefused() {
		this.contextRunner.run((context) -> assertThatExceptionOfType(InvalidExchangeException.class)
			.isThrownBy(() -> context.getBean(RingKernelProxyFactory.class).create(Object.class))
			.withMessageContaining("is no interface"));
	}

	@Test
	void aKernelThatDoesNotExistIsRefusedWithTheNearestOne() {
		this.contextRunner.run((context) -> assertThatExceptionOfType(UnknownKernelIdException.class)
			.isThrownBy(() -> context.getBean(RingKernelProxyFactory.class).create(UnknownKernel.class))
			.satisfies((ex) -> {
				assertThat(ex.problem()).isEqualTo("'twise' is the ring kernel that " + UnknownKernel.class.getName()
						+ ".twice calls, and it does not exist. The ring kernels are 'twice', 'repeat-text'.");
				assertThat(ex.remedy()).isEqualTo("Did you mean 'twice'?");
			}));
	}

	private static void refused(ApplicationContext context, Class<?> type, String... parts) {
		assertThatExceptionOfType(InvalidExchangeException.class)
			.isThrownBy(() -> context.getBean(RingKernelProxyFactory.class).create(type))
			.withMessageStartingWith(type.getName() + ".twice cannot call a ring kernel: it ")
			.satisfies((ex) -> assertThat(ex).hasMessageContainingAll(parts))
			.satisfies((ex) -> assertThat(ex.remedy()).endsWith("."));
	}

}
