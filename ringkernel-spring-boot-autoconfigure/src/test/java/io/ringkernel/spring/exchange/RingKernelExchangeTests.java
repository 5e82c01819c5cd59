package io.ringkernel.spring.exchange;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.ringkernel.RequestPriority;
import io.ringkernel.RingKernelClient;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.UnknownKernelIdException;
import io.ringkernel.spring.boot.autoconfigure.ExchangesCheckAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.exchange.scanned.Doubling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RingKernelExchange @RingKernelExchange} and
 * {@link ImportRingKernelExchanges @ImportRingKernelExchanges}.
 */
class RingKernelExchangeTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class)
		.withPropertyValues("ringkernel.defaults.workers=1");

	@RingKernelExchange("twice")
	interface Calls {

		Number twice(Number number);

		Number twice(Number number, Duration timeout);

		Number twice(RequestPriority priority, Number number);

		CompletableFuture<Number> later(Number number);

		CompletionStage<Number> stage(Number number, Duration timeout);

		List<Number> all(List<Number> numbers);

		Mono<Number> mono(Number number);

		Flux<Number> flux(Flux<Number> numbers);

		Publisher<Number> publisher(Publisher<Number> numbers, Duration timeout, RequestPriority priority);

		@RingKernelExchange(oneWay = true)
		void forget(Number number);

		@RingKernelExchange("repeat-text")
		Text repeat(Number number);

		default Number fourTimes(Number number) {
			return twice(twice(number));
		}

	}

	@ImportRingKernelExchanges(types = Calls.class)
	static class ImportsCalls {

	}

	@Test
	void methodsCallTheKernelInTheWayOfTheirTypes() {
		this.contextRunner.withUserConfiguration(ImportsCalls.class).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(calls.twice(new Number(1))).isEqualTo(new Number(2));
			assertThat(calls.twice(new Number(2), LIMIT)).isEqualTo(new Number(4));
			assertThat(calls.twice(RequestPriority.BACKGROUND, new Number(3))).isEqualTo(new Number(6));
			assertThat(calls.later(new Number(4)).get(30, TimeUnit.SECONDS)).isEqualTo(new Number(8));
			assertThat(calls.stage(new Number(5), LIMIT).toCompletableFuture().get(30, TimeUnit.SECONDS))
				.isEqualTo(new Number(10));
			assertThat(calls.all(List.of(new Number(6), new Number(7)))).containsExactly(new Number(12),
					new Number(14));
			assertThat(calls.mono(new Number(8)).block(LIMIT)).isEqualTo(new Number(16));
			assertThat(calls.flux(Flux.range(1, 100).map(Number::new)).map(Number::value).collectList().block(LIMIT))
				.isEqualTo(Flux.range(1, 100).map((i) -> 2 * i).collectList().block());
			assertThat(Flux.from(calls.publisher(Mono.just(new Number(9)), LIMIT, RequestPriority.NORMAL))
				.blockLast(LIMIT)).isEqualTo(new Number(18));
			calls.forget(new Number(10));
			assertThat(calls.repeat(new Number(3))).isEqualTo(new Text("xxx"));
			assertThat(calls.fourTimes(new Number(1))).isEqualTo(new Number(4));
		});
	}

	@Test
	void aProxyIsEqualToItselfAndSaysWhatItIs() {
		this.contextRunner.withUserConfiguration(ImportsCalls.class).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(calls).isEqualTo(calls).hasSameHashCodeAs(calls).isNotEqualTo(new Object());
			assertThat(calls).hasToString("ring kernel client " + Calls.class.getName());
		});
	}

	@Test
	void anArgumentThatIsNullIsNamed() {
		this.contextRunner.withUserConfiguration(ImportsCalls.class)
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(Calls.class).twice((Number) null))
				.withMessageContaining("Argument 0 of " + Calls.class.getName() + ".twice is null"));
	}

	@ImportRingKernelExchanges(basePackageClasses = Doubling.class)
	static class Scans {

	}

	@ImportRingKernelExchanges(basePackages = "io.ringkernel.spring.exchange.scanned", types = Doubling.class)
	static class ScansAndImports {

	}

	@ParameterizedTest
	@ValueSource(classes = { Scans.class, ScansAndImports.class })
	void interfacesAreFoundByScanningAndRegisteredOnce(Class<?> configuration) {
		this.contextRunner.withUserConfiguration(configuration).run((context) -> {
			assertThat(context).hasSingleBean(Doubling.class).doesNotHaveBean(Doubling.Other.class);
			assertThat(context).hasBean(Doubling.class.getName());
		});
	}

	static class UsesFunction {

		private final Function<Number, Number> function;

		UsesFunction(Function<Number, Number> function) {
			this.function = function;
		}

	}

	@Test
	void anInterfaceThatExtendsFunctionIsOne() {
		this.contextRunner.withUserConfiguration(Scans.class).withBean(UsesFunction.class).run((context) -> {
			Function<Number, Number> function = context.getBean(UsesFunction.class).function;
			assertThat(function.andThen(function).apply(new Number(3))).isEqualTo(new Number(12));
		});
	}

	@Test
	void aClientIsAFunctionByItself() {
		this.contextRunner.run((context) -> {
			ObjectProvider<RingKernelClient<Number, Text>> client = context
				.getBeanProvider(org.springframework.core.ResolvableType.forClassWithGenerics(RingKernelClient.class,
						Number.class, Text.class));
			Function<Number, Text> function = client.getObject()::call;
			assertThat(function.apply(new Number(2))).isEqualTo(new Text("xx"));
		});
	}

	@RingKernelExchange(value = "twice", timeout = "${twice.timeout}", priority = RequestPriority.BACKGROUND)
	interface Configured {

		Number common(Number number);

		@RingKernelExchange(timeout = "1s", priority = RequestPriority.NORMAL)
		CompletableFuture<Number> own(Number number);

		@RingKernelExchange(oneWay = true)
		void forget(Number number);

		List<Number> all(List<Number> numbers);

		Number given(Number number, RequestPriority priority, Duration timeout);

	}

	@SuppressWarnings("unchecked")
	@Test
	void timeoutAndPriorityAreThoseOfTheCallOrTheMethodOrTheInterface() {
		RingKernelClient<Number, Number> normal = mock();
		RingKernelClient<Number, Number> background = mock();
		given(normal.withPriority(RequestPriority.BACKGROUND)).willReturn(background);
		Number number = new Number(1);
		List<Number> numbers = List.of(number);
		this.contextRunner.withBean("twice", RingKernelClient.class, () -> normal)
			.withPropertyValues("twice.timeout=250ms")
			.run((context) -> {
				Configured calls = context.getBean(RingKernelProxyFactory.class).create(Configured.class);
				calls.common(number);
				then(background).should().call(number, Duration.ofMillis(250));
				calls.own(number);
				then(normal).should().submit(number, Duration.ofSeconds(1));
				calls.forget(number);
				then(background).should().send(number, Duration.ofMillis(250));
				calls.all(numbers);
				then(background).should().callAll(numbers, Duration.ofMillis(250));
				calls.given(number, RequestPriority.NORMAL, Duration.ofMillis(3));
				then(normal).should().call(number, Duration.ofMillis(3));
				then(background).shouldHaveNoMoreInteractions();
			});
	}

	interface OnMethods {

		@RingKernelExchange("twice")
		Mono<Number> mono(Number number);

	}

	@SuppressWarnings("unchecked")
	@Test
	void nothingIsSentBeforeASubscription() {
		RingKernelClient<Number, Number> client = mock();
		given(client.trySubmit(any())).willReturn(Optional.of(CompletableFuture.completedFuture(new Number(5))));
		this.contextRunner.withBean("twice", RingKernelClient.class, () -> client).run((context) -> {
			OnMethods calls = context.getBean(RingKernelProxyFactory.class).create(OnMethods.class);
			Mono<Number> mono = calls.mono(new Number(1));
			then(client).should().withPriority(any());
			then(client).shouldHaveNoMoreInteractions();
			assertThat(mono.block(LIMIT)).isEqualTo(new Number(5));
			assertThat(mono.block(LIMIT)).isEqualTo(new Number(5));
			then(client).should(org.mockito.Mockito.times(2)).trySubmit(eq(new Number(1)));
		});
	}

	@Test
	void factoryOfTheApplicationIsUsed() {
		this.contextRunner.withBean("own", RingKernelProxyFactory.class)
			.run((context) -> assertThat(context).hasSingleBean(RingKernelProxyFactory.class).hasBean("own"));
	}

	@RingKernelExchange("half")
	interface OfAnotherKernel {

		Number half(Number number);

	}

	@ImportRingKernelExchanges(types = { Calls.class, OfAnotherKernel.class })
	static class ImportsAnother {

	}

	@Test
	void aContextWithoutRingKernelsStartsWithImportedInterfaces() {
		new ApplicationContextRunner().withUserConfiguration(ImportsCalls.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(Calls.class))
				.havingRootCause()
				.isInstanceOf(InvalidExchangeException.class)
				.withMessage(Calls.class.getName() + " cannot call a ring kernel: it is in an application context "
						+ "without ring kernels. In a test of part of the application, replace the interface with "
						+ "@MockitoBean or add @AutoConfigureRingKernels; elsewhere, add RingKernelAutoConfiguration.");
		});
	}

	@Test
	void aContextWithSomeOfTheKernelsStartsWithTheInterfacesOfAll() {
		this.contextRunner.withUserConfiguration(ImportsAnother.class)
			.run((context) -> assertThat(context.getBean(Calls.class).twice(new Number(1))).isEqualTo(new Number(2)));
	}

	@Test
	void anApplicationDoesNotStartWithAnInterfaceThatCannotWork() {
		this.contextRunner.withUserConfiguration(ImportsAnother.class)
			.withConfiguration(AutoConfigurations.of(ExchangesCheckAutoConfiguration.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(UnknownKernelIdException.class)
				.hasMessageContaining(
						"'half' is the ring kernel that " + OfAnotherKernel.class.getName() + ".half calls"));
	}

}
