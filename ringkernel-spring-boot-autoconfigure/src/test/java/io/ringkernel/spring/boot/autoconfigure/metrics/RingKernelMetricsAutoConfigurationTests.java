package io.ringkernel.spring.boot.autoconfigure.metrics;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.metrics.RingKernelMetrics;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelMetricsAutoConfiguration}.
 */
class RingKernelMetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelMetricsAutoConfiguration.class,
						MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class)
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.timing-interval=1");

	private final ApplicationContextRunner withRegistry = this.contextRunner.withBean(SimpleMeterRegistry.class);

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RingKernelMetricsAutoConfiguration.class.getName());
	}

	@Test
	void everyKernelHasItsMeters() {
		this.withRegistry.run((context) -> {
			for (String kernel : new String[] { "twice", "repeat-text" }) {
				assertThat(namesOf(context, kernel)).containsExactlyInAnyOrder("ringkernel.request",
						"ringkernel.request.queued", "ringkernel.request.handling", "ringkernel.request.delivery",
						"ringkernel.requests.processed", "ringkernel.requests.failed", "ringkernel.requests.timed.out",
						"ringkernel.requests.rejected", "ringkernel.launches", "ringkernel.restarts",
						"ringkernel.active", "ringkernel.stuck", "ringkernel.requests.in.flight",
						"ringkernel.requests.oldest.age", "ringkernel.ring.slots", "ringkernel.ring.occupancy",
						"ringkernel.ring.memory", "ringkernel.device.memory", "ringkernel.workers.active",
						"ringkernel.heartbeat.age");
			}
		});
	}

	@Test
	void tagsAreKernelBackendAndModeAndNoOthers() {
		this.withRegistry.run((context) -> {
			call(context, 1);
			assertThat(context.getBean(MeterRegistry.class).getMeters())
				.filteredOn((meter) -> meter.getId().getName().startsWith("ringkernel."))
				.isNotEmpty()
				.allSatisfy((meter) -> {
					assertThat(meter.getId().getTags()).extracting(Tag::getKey)
						.containsExactly("backend", "kernel", "mode");
					assertThat(meter.getId().getTag("backend")).isEqualTo("cpu");
					assertThat(meter.getId().getTag("mode")).isEqualTo("persistent");
					assertThat(meter.getId().getDescription()).isNotBlank();
				});
		});
	}

	@Test
	void meterFollowsTheKernel() {
		this.withRegistry.run((context) -> {
			call(context, 3);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(value(registry, "ringkernel.requests.processed")).isEqualTo(3);
			assertThat(value(registry, "ringkernel.requests.failed")).isZero();
			assertThat(value(registry, "ringkernel.active")).isEqualTo(1);
			assertThat(value(registry, "ringkernel.stuck")).isZero();
			assertThat(value(registry, "ringkernel.ring.slots")).isGreaterThan(1);
			assertThat(value(registry, "ringkernel.ring.occupancy")).isZero();
			assertThat(value(registry, "ringkernel.ring.memory")).isGreaterThan(4096);
			assertThat(value(registry, "ringkernel.launches")).isPositive();
			Kernel<?, ?> kernel = context.getBean("twice.kernel", Kernel.class);
			kernel.relaunch();
			call(context, 1);
			assertThat(value(registry, "ringkernel.requests.processed")).isEqualTo(4);
			assertThat(value(registry, "ringkernel.restarts")).isEqualTo(1);
			kernel.deactivate();
			assertThat(value(registry, "ringkernel.active")).isZero();
		});
	}

	@Test
	void requestIsTimedInWholeAndInParts() {
		this.withRegistry.run((context) -> {
			call(context, 5);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			double parts = 0;
			for (String part : new String[] { "queued", "handling", "delivery" }) {
				Timer timer = registry.get("ringkernel.request." + part).tag("kernel", "twice").timer();
				assertThat(timer.count()).isEqualTo(5);
				parts += timer.totalTime(TimeUnit.NANOSECONDS);
			}
			Timer total = registry.get("ringkernel.request").tag("kernel", "twice").timer();
			assertThat(total.count()).isEqualTo(5);
			assertThat(total.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(parts);
		});
	}

	@Test
	void oneRequestInSixteenIsTimedByDefault() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
					RingKernelMetricsAutoConfiguration.class, MetricsAutoConfiguration.class))
			.withUserConfiguration(TwiceAndRepeat.class)
			.withBean(SimpleMeterRegistry.class)
			.run((context) -> {
				// They come in groups of neighbours.
				call(context, 1_600);
				assertThat(context.getBean(MeterRegistry.class)
					.get("ringkernel.request")
					.tag("kernel", "twice")
					.timer()
					.count()).isBetween(80L, 120L);
			});
	}

	@Test
	void kernelThatIsDefinedLaterIsBoundWithTheRegistryThatIsAskedForIt() {
		this.withRegistry.run((context) -> {
			RingKernelRuntime runtime = context.getBean(RingKernelRuntime.class);
			runtime.define(
					KernelSpec.of("late", Number.class, Number.class, (request) -> request, KernelOptions.DEFAULTS));
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(RingKernelMetrics.class).bindTo(registry);
			assertThat(registry.get("ringkernel.active").tag("kernel", "late").gauge().value()).isZero();
		});
	}

	@Test
	void metersAreDeniedAsAnyOther() {
		this.withRegistry.withPropertyValues("management.metrics.enable.ringkernel=false").run((context) -> {
			call(context, 1);
			assertThat(namesOf(context, "twice")).isEmpty();
		});
	}

	@Test
	void absentWithoutARegistry() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelMetricsAutoConfiguration.class))
			.withUserConfiguration(TwiceAndRepeat.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RingKernelMetrics.class));
	}

	@Test
	void absentWhereKernelsAreDisabled() {
		this.withRegistry.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RingKernelMetrics.class));
	}

	@Test
	void absentWithoutMicrometer() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelMetricsAutoConfiguration.class))
			.withUserConfiguration(TwiceAndRepeat.class)
			.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RingKernelMetricsAutoConfiguration.class)
				.hasBean("twice"));
	}

	@Test
	void binderOfTheApplicationReplacesIt() {
		this.withRegistry.withBean("own", ForNoKernels.class).run((context) -> {
			assertThat(context).hasSingleBean(RingKernelMetrics.class).hasBean("own");
			assertThat(namesOf(context, "twice")).isEmpty();
		});
	}

	@Test
	void binderIsFoundAsSuch() {
		this.withRegistry
			.run((context) -> assertThat(context.getBeansOfType(MeterBinder.class)).containsKey("ringKernelMetrics"));
	}

	private static final class ForNoKernels extends RingKernelMetrics {

		ForNoKernels(RingKernelRuntime runtime) {
			super(runtime, Set::of);
		}

	}

	@SuppressWarnings("unchecked")
	private static void call(ApplicationContext context, int times) {
		RingKernelClient<Number, Number> client = context.getBean("twice", RingKernelClient.class);
		for (int i = 0; i < times; i++) {
			client.call(new Number(i));
		}
	}

	private static double value(MeterRegistry registry, String name) {
		Meter meter = registry.get(name).tag("kernel", "twice").meter();
		return meter.measure().iterator().next().getValue();
	}

	private static Set<String> namesOf(ApplicationContext context, String kernel) {
		return context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> kernel.equals(id.getTag("kernel")))
			.map(Meter.Id::getName)
			.collect(Collectors.toSet());
	}

}
