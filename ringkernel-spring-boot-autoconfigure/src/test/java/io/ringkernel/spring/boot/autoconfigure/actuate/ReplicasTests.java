package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.time.Duration;
import java.util.Map;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.routing.Routing;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.metrics.RingKernelMetricsAutoConfiguration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for kernels with replicas, as an application and its operators see them.
 */
class ReplicasTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				RingKernelMetricsAutoConfiguration.class, MetricsAutoConfiguration.class))
		.withBean(SimpleMeterRegistry.class)
		.withUserConfiguration(TwiceAndRepeat.class)
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.kernels.twice.replicas=3",
				"ringkernel.defaults.workers=2");

	@Test
	void thereIsOneKernelAndOneClient() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("twice.kernel", "repeat-text.kernel");
			assertThat(twice(context).state()).isEqualTo(KernelState.ACTIVE);
			assertThat(twice(context).replicas()).hasSize(3);
			assertThat(context.getBean("repeat-text.kernel", Kernel.class).replicas()).hasSize(1);
			assertThat(call(context, 21)).isEqualTo(new Number(42));
		});
	}

	@Test
	void theEndpointShowsAKernelWithItsReplicasBelow() {
		this.contextRunner.run((context) -> {
			call(context, 1);
			Map<String, Object> body = endpoint(context).ringKernels();
			assertThat(body).extractingByKey("kernels", InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("twice", "repeat-text")
				.extractingByKey("twice", InstanceOfAssertFactories.MAP)
				.containsEntry("state", "ACTIVE")
				.containsEntry("processed", 1L)
				.containsEntry("workers", 6)
				.extractingByKey("replicas", InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("twice.0", "twice.1", "twice.2")
				.extractingByKey("twice.2", InstanceOfAssertFactories.MAP)
				.containsEntry("state", "ACTIVE")
				.containsEntry("workers", 2)
				.doesNotContainKey("replicas");
			assertThat(endpoint(context).ringKernel("repeat-text")).doesNotContainKey("replicas");
		});
	}

	@Test
	void anOperatorActsOnAReplicaByItsId() {
		this.contextRunner.run((context) -> {
			assertThat(endpoint(context).act("twice.1", "deactivate")).containsEntry("state", "INACTIVE");
			assertThat(twice(context).replicas()).extracting(Kernel::state)
				.containsExactly(KernelState.ACTIVE, KernelState.INACTIVE, KernelState.ACTIVE);
			assertThat(call(context, 4)).isEqualTo(new Number(8));
			assertThat(endpoint(context).act("twice", "activate")).containsEntry("state", "ACTIVE");
			assertThat(twice(context).replicas()).extracting(Kernel::state).containsOnly(KernelState.ACTIVE);
		});
	}

	@Test
	void aRingIsThatOfAReplica() {
		this.contextRunner.run((context) -> {
			assertThat(endpoint(context).view("twice.1", "ring")).isNotNull();
			WebEndpointResponse<Map<String, Object>> response = new RingKernelsEndpointWebExtension(endpoint(context))
				.view("twice", "ring");
			assertThat(response.getStatus()).isEqualTo(404);
			assertThat(response.getBody()).containsEntry("detail",
					"Each replica of ring kernel 'twice' has a ring of its own. "
							+ "Name one of [twice.0, twice.1, twice.2].");
		});
	}

	@Test
	void aKernelIsUpWhileAnyReplicaIs() {
		this.contextRunner.run((context) -> {
			twice(context).replicas().get(0).deactivate();
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).extractingByKey("replicas", InstanceOfAssertFactories.MAP)
				.hasEntrySatisfying("twice.0",
						(replica) -> assertThat(((Health) replica).getStatus()).isEqualTo(Status.OUT_OF_SERVICE))
				.hasEntrySatisfying("twice.1",
						(replica) -> assertThat(((Health) replica).getStatus()).isEqualTo(Status.UP));
			twice(context).deactivate();
			assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		});
	}

	@Test
	void aKernelThatIsRoutedByKeyIsUpWhileAllReplicasAre() {
		this.contextRunner.withBean("byValue", KeyExtractor.class, () -> (KeyExtractor<Number>) Number::value)
			.withPropertyValues("ringkernel.kernels.twice.routing=byValue")
			.run((context) -> {
				assertThat(twice(context).routing()).isEqualTo(Routing.KEY);
				assertThat(call(context, 21)).isEqualTo(new Number(42));
				assertThat(health(context).getStatus()).isEqualTo(Status.UP);
				twice(context).replicas().get(1).deactivate();
				assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			});
	}

	@Test
	void aRoutingThatNoBeanCanDoIsRefused() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.twice.routing=by-card")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("ringkernel.kernels.twice.routing = by-card is no KeyExtractor bean. "
						+ "Set it to least-loaded, key, or the name of a KeyExtractor bean."));
	}

	@Test
	void aRoutingByKeyNeedsAKey() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.twice.routing=key")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("ringkernel.kernels.twice.routing = key needs one component "
						+ "with @RingKernelKey, and %s has 0.".formatted(Number.class.getName())));
	}

	@Test
	void metersOfReplicasHaveATagMore() {
		this.contextRunner.run((context) -> {
			call(context, 1);
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("ringkernel.active").tag("kernel", "twice").gauges())
				.extracting((gauge) -> gauge.getId().getTag("replica"))
				.containsExactlyInAnyOrder("0", "1", "2");
			assertThat(meters.get("ringkernel.requests.processed")
				.tag("kernel", "twice")
				.functionCounters()
				.stream()
				.mapToDouble((counter) -> counter.count())
				.sum()).isEqualTo(1);
			assertThat(meters.get("ringkernel.active").tag("kernel", "repeat-text").gauges()).extracting(Meter::getId)
				.singleElement()
				.satisfies((id) -> assertThat(id.getTag("replica")).isNull());
			context.getBean(RingKernelRuntime.class).remove(twice(context));
			assertThat(context.getBean(RingKernelRuntime.class).awaitListeners(Duration.ofSeconds(30))).isTrue();
			assertThat(meters.find("ringkernel.active").tag("kernel", "twice").gauges()).isEmpty();
		});
	}

	private static Number call(ApplicationContext context, int value) {
		@SuppressWarnings("unchecked")
		RingKernelClient<Number, Number> client = context.getBean("twice", RingKernelClient.class);
		return client.call(new Number(value));
	}

	private static Kernel<?, ?> twice(ApplicationContext context) {
		return context.getBean(RingKernelRuntime.class).kernel("twice").orElseThrow();
	}

	private static RingKernelsEndpoint endpoint(ApplicationContext context) {
		return new RingKernelsEndpoint(context.getBean(RingKernelRuntime.class));
	}

	private static Health health(ApplicationContext context) {
		HealthIndicator indicator = (HealthIndicator) new RingKernelHealthContributor(
				context.getBean(RingKernelRuntime.class))
			.getContributor("twice");
		return indicator.health();
	}

}
