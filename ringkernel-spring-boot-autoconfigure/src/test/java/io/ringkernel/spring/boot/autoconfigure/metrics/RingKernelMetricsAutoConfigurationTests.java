package io.ringkernel.spring.boot.autoconfigure.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.RingKernel;
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
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

	private final ApplicationContextRunner withBuckets = this.contextRunner.withBean(BucketsOfTimers.class);

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
						"ringkernel.requests.rejected", "ringkernel.requests.lost", "ringkernel.requests.replayed",
						"ringkernel.launches", "ringkernel.restarts", "ringkernel.active", "ringkernel.stuck",
						"ringkernel.requests.in.flight", "ringkernel.requests.oldest.age", "ringkernel.ring.slots",
						"ringkernel.ring.occupancy", "ringkernel.ring.memory", "ringkernel.device.memory",
						"ringkernel.workers.active", "ringkernel.heartbeat.age");
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
	void publishesNoHistogramUnlessConfigured() {
		this.withBuckets.run((context) -> assertThat(buckets(context)).isEmpty());
	}

	@Test
	void percentileHistogramIsSwitchedOnAsForAnyTimerAndSpansHalfAMicrosecondToTheTimeout() {
		this.withBuckets
			.withPropertyValues("management.metrics.distribution.percentiles-histogram[ringkernel.request]=true",
					"ringkernel.kernels.twice.request-timeout=2s")
			.run((context) -> {
				assertThat(buckets(context)).hasSizeGreaterThan(50);
				assertThat(buckets(context).first()).isBetween(500.0, 1000.0);
				assertThat(buckets(context).last()).isEqualTo(2e9);
			});
	}

	@Test
	void serviceLevelObjectivesAreTheBuckets() {
		this.withBuckets.withPropertyValues("management.metrics.distribution.slo[ringkernel.request]=10us,1ms")
			.run((context) -> assertThat(buckets(context)).containsExactly(10_000.0, 1_000_000.0));
	}

	@Test
	void timeoutBelowTheShortestExpectedTimeStarts() {
		this.withRegistry.withPropertyValues("ringkernel.kernels.twice.request-timeout=400ns")
			.run((context) -> assertThat(context).hasNotFailed());
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
	void kernelThatIsDefinedLaterHasMetersFromItsStartToItsRemoval() {
		this.withRegistry.run((context) -> {
			RingKernelRuntime runtime = context.getBean(RingKernelRuntime.class);
			Kernel<Number, Number> late = runtime.define(
					KernelSpec.of("late", Number.class, Number.class, (request) -> request, KernelOptions.DEFAULTS));
			late.launch();
			await().untilAsserted(() -> assertThat(namesOf(context, "late")).isEqualTo(namesOf(context, "twice")));
			late.terminate();
			assertThat(runtime.awaitListeners(Duration.ofSeconds(10))).isTrue();
			assertThat(namesOf(context, "late")).isNotEmpty();
			runtime.remove(late);
			await().untilAsserted(() -> assertThat(namesOf(context, "late")).isEmpty());
			assertThat(namesOf(context, "twice")).isNotEmpty();
		});
	}

	@Test
	void kernelOfAChildContextHasMetersWhileTheChildIsOpen() {
		this.withRegistry.run((context) -> {
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(context.getSourceApplicationContext());
				child.register(OfTheChild.class, RingKernelAutoConfiguration.class,
						RingKernelMetricsAutoConfiguration.class);
				child.refresh();
				await()
					.untilAsserted(() -> assertThat(namesOf(context, "in-child")).isEqualTo(namesOf(context, "twice")));
			}
			await().untilAsserted(() -> assertThat(namesOf(context, "in-child")).isEmpty());
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

	/**
	 * Keeps the buckets that a registry like that of Prometheus would make.
	 */
	private static final class BucketsOfTimers extends SimpleMeterRegistry {

		private final Map<String, SortedSet<Double>> buckets = new ConcurrentHashMap<>();

		@Override
		protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauseDetector) {
			if ("twice".equals(id.getTag("kernel"))) {
				this.buckets.put(id.getName(), config.getHistogramBuckets(true));
			}
			return super.newTimer(id, config, pauseDetector);
		}

	}

	@RingKernel(id = "in-child")
	static final class OfTheChild implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return request;
		}

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

	private static SortedSet<Double> buckets(ApplicationContext context) {
		return Objects.requireNonNull(context.getBean(BucketsOfTimers.class).buckets.get("ringkernel.request"));
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
