package io.ringkernel.spring.boot.autoconfigure.observation;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.RequestContext;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelContextAutoConfiguration}.
 */
class RingKernelContextAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelContextAutoConfiguration.class))
		.withUserConfiguration(Recording.class)
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.workers=1",
				"ringkernel.defaults.request-timeout=30s");

	@AfterEach
	void clear() {
		MDC.clear();
	}

	@Test
	void handlerSeesTheDiagnosticContextOfItsCallerAndTheNextOneDoesNot() {
		this.contextRunner.run((context) -> {
			MDC.put("user", "ada");
			assertThat(seenBy(context)).satisfies((seen) -> assertThat(seen.diagnostic()).containsEntry("user", "ada"));
			MDC.clear();
			assertThat(seenBy(context)).satisfies((seen) -> assertThat(seen.diagnostic()).isNullOrEmpty());
		});
	}

	@Test
	void whatAHandlerLeavesInItsDiagnosticContextIsGone() {
		this.contextRunner.run((context) -> {
			client(context).call(new Number(-1));
			assertThat(seenBy(context).diagnostic()).isNullOrEmpty();
		});
	}

	@Test
	void handlerSeesTheObservationOfItsCallerAndTheNextOneDoesNot() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		this.contextRunner.withBean(ObservationRegistry.class, () -> registry).run((context) -> {
			Observation caller = Observation.start("caller", registry);
			assertThat(caller.scoped(() -> seenBy(context)).observation()).isSameAs(caller);
			assertThat(seenBy(context).observation()).isNull();
			caller.stop();
		});
	}

	@Test
	void spanOfAnObservedCallIsTheOneThatItsHandlerRunsIn() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		this.contextRunner.withConfiguration(AutoConfigurations.of(RingKernelObservationAutoConfiguration.class))
			.withBean(ObservationRegistry.class, () -> registry)
			.run((context) -> assertThat(seenBy(context).observation()).isNotNull()
				.extracting((seen) -> seen.getContext().getName())
				.isEqualTo("ringkernel.client"));
	}

	@Test
	void contextOfTheSenderOfAFutureIsCarried() throws Exception {
		this.contextRunner.run((context) -> {
			MDC.put("user", "ada");
			CompletableFuture<Number> reply = client(context).submit(new Number(1));
			MDC.put("user", "grace");
			reply.get(30, TimeUnit.SECONDS);
			assertThat(take(context).diagnostic()).containsEntry("user", "ada");
		});
	}

	@Test
	void factoryOfTheApplicationDecidesWhatIsCarried() {
		ContextSnapshotFactory nothing = ContextSnapshotFactory.builder()
			.contextRegistry(new ContextRegistry())
			.build();
		this.contextRunner.withBean(ContextSnapshotFactory.class, () -> nothing).run((context) -> {
			MDC.put("user", "ada");
			assertThat(seenBy(context).diagnostic()).isNullOrEmpty();
		});
	}

	@Test
	void absentWithoutContextPropagation() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(ContextSnapshotFactory.class)).run((context) -> {
			assertThat(context).doesNotHaveBean(RequestContext.class);
			MDC.put("user", "ada");
			assertThat(seenBy(context).diagnostic()).isNullOrEmpty();
		});
	}

	private static Seen seenBy(ApplicationContext context) {
		client(context).call(new Number(1));
		return take(context);
	}

	private static Seen take(ApplicationContext context) {
		return context.getBean(Recording.class).seen.remove();
	}

	@SuppressWarnings("unchecked")
	private static RingKernelClient<Number, Number> client(ApplicationContext context) {
		return context.getBean("recording-kernel", RingKernelClient.class);
	}

	record Seen(@Nullable Map<String, String> diagnostic, @Nullable Observation observation) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Recording {

		private final LinkedBlockingQueue<Seen> seen = new LinkedBlockingQueue<>();

		private final ObservationRegistry registry = ObservationRegistry.create();

		@Bean
		@RingKernel(id = "recording-kernel")
		RingKernelHandler<Number, Number> recording() {
			return (request) -> {
				if (request.value() < 0) {
					MDC.put("left", "behind");
				}
				else {
					this.seen.add(new Seen(MDC.getCopyOfContextMap(), this.registry.getCurrentObservation()));
				}
				return request;
			};
		}

	}

}
