package io.ringkernel.spring.boot.autoconfigure.observation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.ringkernel.RequestPriority;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.RefusingDevice;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.observation.DefaultRingKernelObservationConvention;
import io.ringkernel.spring.observation.RingKernelObservationConvention;
import io.ringkernel.spring.observation.RingKernelObservationPostProcessor;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RingKernelObservationAutoConfiguration}.
 */
class RingKernelObservationAutoConfigurationTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final ApplicationContextRunner withoutRegistry = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelObservationAutoConfiguration.class))
		.withUserConfiguration(Gated.class)
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.request-timeout=30s");

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final ApplicationContextRunner contextRunner = this.withoutRegistry.withBean(ObservationRegistry.class,
			() -> this.registry);

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RingKernelObservationAutoConfiguration.class.getName());
	}

	@Test
	void callIsObservedWithTheTagsOfMetrics() {
		this.contextRunner.run((context) -> {
			assertThat(client(context).call(new Number(1))).isEqualTo(new Number(2));
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasSingleObservationThat()
				.hasNameEqualTo("ringkernel.client")
				.hasContextualNameEqualTo("gated call")
				.hasOnlyKeys("kernel", "backend", "mode", "operation")
				.hasLowCardinalityKeyValue("kernel", "gated")
				.hasLowCardinalityKeyValue("backend", "cpu")
				.hasLowCardinalityKeyValue("mode", "persistent")
				.hasLowCardinalityKeyValue("operation", "call")
				.doesNotHaveError()
				.hasBeenStarted()
				.hasBeenStopped();
		});
	}

	@Test
	void everyWayToAskIsObserved() {
		this.contextRunner.run((context) -> {
			RingKernelClient<Number, Number> client = client(context);
			client.call(new Number(1), LIMIT);
			client.callAll(List.of(new Number(1), new Number(2)));
			client.callAll(List.of(new Number(1)), LIMIT);
			client.send(new Number(1));
			client.send(new Number(1), LIMIT);
			assertThat(client.submit(new Number(1))).succeedsWithin(LIMIT);
			assertThat(client.submit(new Number(1), LIMIT)).succeedsWithin(LIMIT);
			assertThat(client.trySubmit(new Number(1)).orElseThrow()).succeedsWithin(LIMIT);
			assertThat(client.trySubmit(new Number(1), LIMIT).orElseThrow()).succeedsWithin(LIMIT);
			client.withPriority(RequestPriority.BACKGROUND).call(new Number(1));
			assertThat(client.kernelId()).isEqualTo("gated");
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasNumberOfObservationsEqualTo(10)
				.hasNumberOfObservationsWithNameEqualTo("ringkernel.client", 10);
			client.openStream().close();
			TestObservationRegistryAssert.assertThat(this.registry).hasNumberOfObservationsEqualTo(10);
		});
	}

	@Test
	void callToAKernelThatHasMovedIsTaggedWithWhereItRunsNow() {
		this.contextRunner.withUserConfiguration(TwiceAndRepeat.class)
			.withBean("device", BackendProvider.class, new RefusingDevice()::provider)
			.withBean("cpu", BackendProvider.class, CpuBackendProvider::new)
			.withPropertyValues("ringkernel.backend=auto")
			.run((context) -> {
				assertThat(context.getBean(RingKernelRuntime.class).plan().backend()).isEqualTo(BackendKind.CUDA);
				assertThat(repeat(context).call(new Number(3))).isEqualTo(new Text("xxx"));
				TestObservationRegistryAssert.assertThat(this.registry)
					.hasSingleObservationThat()
					.hasLowCardinalityKeyValue("kernel", "repeat-text")
					.hasLowCardinalityKeyValue("backend", "cpu");
			});
	}

	@SuppressWarnings("unchecked")
	private static RingKernelClient<Number, Text> repeat(ApplicationContext context) {
		return context.getBean("repeat-text", RingKernelClient.class);
	}

	@Test
	void failureIsTheErrorOfTheObservation() {
		this.contextRunner.run((context) -> {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> client(context).call(new Number(-1)));
			assertThat(client(context).submit(new Number(-1))).failsWithin(LIMIT);
			TestObservationRegistryAssert.assertThat(this.registry)
				.forAllObservationsWithNameEqualTo("ringkernel.client",
						(observation) -> observation.assertThatError().isInstanceOf(HandlerFailedException.class));
		});
	}

	@Test
	void callIsAChildOfWhatTheCallerIsObservedToDo() {
		this.contextRunner.run((context) -> {
			Observation caller = Observation.start("caller", this.registry);
			caller.scoped(() -> client(context).call(new Number(1)));
			caller.stop();
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasObservationWithNameEqualTo("ringkernel.client")
				.that()
				.hasParentObservationEqualTo(caller);
		});
	}

	@Test
	void contextOfTheSenderReachesTheThreadThatCompletesTheReply() {
		this.contextRunner.run((context) -> {
			Gate gate = context.getBean(Gate.class);
			gate.closed = new CountDownLatch(1);
			Observation sender = Observation.start("sender", this.registry);
			CompletableFuture<Thread> thread = new CompletableFuture<>();
			CompletableFuture<Observation> seen = sender
				.scoped(() -> client(context).submit(new Number(1)).thenApply((response) -> {
					thread.complete(Thread.currentThread());
					return this.registry.getCurrentObservation();
				}));
			gate.closed.countDown();
			assertThat(seen.get(30, TimeUnit.SECONDS)).isSameAs(sender);
			assertThat(thread.join()).isNotSameAs(Thread.currentThread());
			sender.stop();
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasObservationWithNameEqualTo("ringkernel.client")
				.that()
				.hasParentObservationEqualTo(sender)
				.hasBeenStopped();
			assertThat(this.registry.getCurrentObservation()).isNull();
		});
	}

	@Test
	void cancellingAReplyCancelsTheRequestAndEndsTheObservation() {
		this.contextRunner.run((context) -> {
			Gate gate = context.getBean(Gate.class);
			gate.closed = new CountDownLatch(1);
			CompletableFuture<Number> reply = client(context).submit(new Number(1));
			assertThat(reply.cancel(true)).isTrue();
			gate.closed.countDown();
			assertThat(reply).isCancelled();
			TestObservationRegistryAssert.assertThat(this.registry).hasSingleObservationThat().hasBeenStopped();
		});
	}

	@Test
	void conventionOfTheApplicationReplacesTheDefault() {
		RingKernelObservationConvention own = new DefaultRingKernelObservationConvention() {

			@Override
			public String getName() {
				return "my.kernels";
			}

		};
		this.contextRunner.withBean(RingKernelObservationConvention.class, () -> own).run((context) -> {
			client(context).call(new Number(1));
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasSingleObservationThat()
				.hasNameEqualTo("my.kernels");
		});
	}

	@Test
	void absentWithoutARegistry() {
		this.withoutRegistry.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(RingKernelObservationPostProcessor.class));
	}

	@Test
	void absentWithoutMicrometer() {
		this.withoutRegistry.withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RingKernelObservationAutoConfiguration.class)
				.hasBean("gated"));
	}

	@Test
	void processorOfTheApplicationReplacesIt() {
		this.contextRunner.withUserConfiguration(OwnProcessor.class)
			.run((context) -> assertThat(context).hasSingleBean(RingKernelObservationPostProcessor.class)
				.hasBean("own"));
	}

	@Test
	void clientOfAChildContextIsObservedOnce() {
		this.contextRunner.run((parent) -> new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
					RingKernelObservationAutoConfiguration.class))
			.withBean(Twice.class)
			.withParent(parent)
			.run((child) -> {
				assertThat(child.getBean("twice", RingKernelClient.class).call(new Number(2))).isEqualTo(new Number(4));
				TestObservationRegistryAssert.assertThat(this.registry)
					.hasSingleObservationThat()
					.hasLowCardinalityKeyValue("kernel", "twice");
			}));
	}

	@SuppressWarnings("unchecked")
	static RingKernelClient<Number, Number> client(ApplicationContext context) {
		return context.getBean("gated", RingKernelClient.class);
	}

	static class Gate {

		volatile CountDownLatch closed = new CountDownLatch(0);

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnProcessor {

		@Bean
		static RingKernelObservationPostProcessor own(ObjectProvider<ObservationRegistry> registry,
				ObjectProvider<RingKernelObservationConvention> convention,
				ObjectProvider<ObservationHandler<?>> handlers, ObjectProvider<RingKernelRuntime> runtime) {
			return new RingKernelObservationPostProcessor(registry, convention, handlers, runtime);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Gated {

		@Bean
		Gate gate() {
			return new Gate();
		}

		@Bean
		@RingKernel(id = "gated")
		RingKernelHandler<Number, Number> gatedHandler(Gate gate) {
			return (request) -> {
				if (request.value() < 0) {
					throw new IllegalArgumentException("negative");
				}
				if (!gate.closed.await(30, TimeUnit.SECONDS)) {
					throw new IllegalStateException("The gate was not opened");
				}
				return new Number(request.value() * 2);
			};
		}

	}

}
