package io.ringkernel.spring.boot.autoconfigure.observation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationTextPublisher;
import io.ringkernel.RingKernelClient;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.observation.RingKernelObservationAutoConfigurationTests.Gated;
import io.ringkernel.spring.observation.DefaultRingKernelObservationConvention;
import io.ringkernel.spring.observation.RingKernelObservationContext;
import io.ringkernel.spring.observation.RingKernelObservationConvention;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the handlers of observations have to do with calls.
 */
@ExtendWith(OutputCaptureExtension.class)
class ObservationHandlersTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelObservationAutoConfiguration.class))
		.withUserConfiguration(Gated.class)
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.request-timeout=30s");

	private static RingKernelClient<Number, Number> client(ApplicationContext context) {
		return RingKernelObservationAutoConfigurationTests.client(context);
	}

	@Test
	void metricsAloneAreLeftToTheMetersOfTheKernel() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		ObservationRegistry observations = ObservationRegistry.create();
		ObservationHandler<Observation.Context> handler = new DefaultMeterObservationHandler(meters);
		observations.observationConfig().observationHandler(handler);
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations)
			.withBean(MeterRegistry.class, () -> meters)
			.withBean(ObservationHandler.class, () -> handler)
			.run((context) -> {
				client(context).call(new Number(1));
				assertThat(meters.find("ringkernel.client").timer()).isNull();
			});
	}

	@Test
	void metricsAloneAreMadeWhereTheApplicationSaysHow() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		ObservationRegistry observations = ObservationRegistry.create();
		ObservationHandler<Observation.Context> handler = new DefaultMeterObservationHandler(meters);
		observations.observationConfig().observationHandler(handler);
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations)
			.withBean(ObservationHandler.class, () -> handler)
			.withBean(RingKernelObservationConvention.class, DefaultRingKernelObservationConvention::new)
			.run((context) -> {
				client(context).call(new Number(1));
				assertThat(meters.get("ringkernel.client").timer().count()).isEqualTo(1);
			});
	}

	@Test
	void handlersAreNotCreatedBeforeTheFirstCall() {
		List<String> created = new CopyOnWriteArrayList<>();
		ObservationRegistry observations = ObservationRegistry.create();
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations)
			.withBean("handler", ObservationHandler.class, () -> {
				created.add("handler");
				return new ObservationTextPublisher(created::add);
			}, (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				client(context).call(new Number(1));
				assertThat(created).isEmpty();
				observations.observationConfig().observationHandler(context.getBean(ObservationHandler.class));
				client(context).call(new Number(1));
				assertThat(created).anyMatch((text) -> text.contains("ringkernel.client"));
			});
	}

	@Test
	void handlerThatBecomesABeanAfterTheFirstCallHasCallsObserved() {
		List<String> seen = new CopyOnWriteArrayList<>();
		ObservationRegistry observations = ObservationRegistry.create();
		ObservationHandler<Observation.Context> meters = new DefaultMeterObservationHandler(new SimpleMeterRegistry());
		observations.observationConfig().observationHandler(meters);
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations)
			.withBean("meters", ObservationHandler.class, () -> meters)
			.run((context) -> {
				client(context).call(new Number(1));
				GenericApplicationContext later = (GenericApplicationContext) context.getSourceApplicationContext();
				later.registerBean("later", ObservationHandler.class, () -> new ObservationTextPublisher(seen::add));
				observations.observationConfig().observationHandler(later.getBean("later", ObservationHandler.class));
				client(context).call(new Number(1));
				assertThat(seen).anyMatch((text) -> text.contains("ringkernel.client"));
			});
	}

	@Test
	void anyOtherHandlerHasCallsObserved() {
		ObservationRegistry observations = ObservationRegistry.create();
		CompletableFuture<String> stopped = new CompletableFuture<>();
		ObservationHandler<Observation.Context> handler = new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				stopped.complete(context.getName());
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		};
		observations.observationConfig().observationHandler(handler);
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations)
			.withBean(ObservationHandler.class, () -> handler)
			.run((context) -> {
				client(context).call(new Number(1));
				assertThat(stopped).isCompletedWithValue("ringkernel.client");
			});
	}

	@Test
	void registryWithoutHandlersCostsNoObservation() {
		this.contextRunner.withBean(ObservationRegistry.class, ObservationRegistry::create).run((context) -> {
			assertThat(client(context).call(new Number(1))).isEqualTo(new Number(2));
			assertThat(client(context).submit(new Number(1))).succeedsWithin(LIMIT);
			assertThat(client(context).trySubmit(new Number(1)).orElseThrow()).succeedsWithin(LIMIT);
		});
	}

	enum Step {

		START, ERROR, STOP, SCOPE

	}

	/** A handler that fails at one step, once it is armed. */
	private static final class Failing implements ObservationHandler<Observation.Context> {

		private final Step failing;

		private volatile boolean armed;

		Failing(Step failing) {
			this.failing = failing;
		}

		private void at(Step step) {
			if (this.armed && step == this.failing) {
				throw new IllegalStateException("broken at " + step);
			}
		}

		@Override
		public void onStart(Observation.Context context) {
			at(Step.START);
		}

		@Override
		public void onError(Observation.Context context) {
			at(Step.ERROR);
		}

		@Override
		public void onStop(Observation.Context context) {
			at(Step.STOP);
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			at(Step.SCOPE);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	@ParameterizedTest
	@EnumSource
	void aReplyComesThoughAHandlerFails(Step step, CapturedOutput output) {
		ObservationRegistry observations = ObservationRegistry.create();
		Failing handler = new Failing(step);
		observations.observationConfig().observationHandler(handler);
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations).run((context) -> {
			Number request = new Number((step != Step.ERROR) ? 1 : -1);
			try (Observation.Scope sender = Observation.start("sender", observations).openScope()) {
				handler.armed = true;
				CompletableFuture<Number> reply = client(context).trySubmit(request).orElseThrow();
				if (step != Step.ERROR) {
					assertThat(reply).succeedsWithin(LIMIT).isEqualTo(new Number(2));
				}
				else {
					assertThat(reply).failsWithin(LIMIT);
				}
				assertThat(sender).isNotNull();
			}
			assertThat(output).contains("broken at " + step);
		});
	}

	@Test
	void aReplyComesThoughTheConventionFails(CapturedOutput output) {
		RingKernelObservationConvention broken = new DefaultRingKernelObservationConvention() {

			@Override
			public String getContextualName(RingKernelObservationContext context) {
				throw new IllegalStateException("broken convention");
			}

		};
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new ObservationTextPublisher());
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations)
			.withBean(RingKernelObservationConvention.class, () -> broken)
			.run((context) -> {
				assertThat(client(context).trySubmit(new Number(1)).orElseThrow()).succeedsWithin(LIMIT);
				assertThat(output).contains("broken convention");
			});
	}

}
