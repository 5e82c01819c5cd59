package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.KernelQuarantined;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.HostedDevice;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.metrics.RingKernelMetricsAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application sees of the process that uses the devices in its place.
 */
class KernelHostObservabilityTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final HostedDevice device = new HostedDevice();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelMetricsAutoConfiguration.class,
						MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
		.withUserConfiguration(Twice.class)
		.withBean(SimpleMeterRegistry.class)
		.withBean(HostedDevice.class, () -> this.device)
		.withBean(CpuBackendProvider.class)
		.withBean(Listener.class)
		.withPropertyValues("ringkernel.defaults.workers=1");

	static class Listener {

		private final List<HostEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(HostEvent event) {
			this.events.add(event);
		}

	}

	@Test
	void whatHappensToTheHostIsAnApplicationEvent() {
		this.contextRunner.run((context) -> {
			this.device.lose();
			this.device.restart();
			assertThat(context.getBean(RingKernelRuntime.class).awaitListeners(LIMIT)).isTrue();
			assertThat(context.getBean(Listener.class).events).<Object>extracting(Object::getClass)
				.containsExactly(KernelHostLost.class, KernelHostRestarted.class, KernelQuarantined.class);
		});
		assertThat(this.device.listeners()).as("listeners after the context was closed").isZero();
	}

	@Test
	void healthIsDownUntilAnotherHostRuns() {
		this.contextRunner.run((context) -> {
			RingKernelPlatformHealthIndicator indicator = new RingKernelPlatformHealthIndicator(
					context.getBean(RingKernelRuntime.class));
			assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
			this.device.lose();
			Health lost = indicator.health();
			assertThat(lost.getStatus()).isEqualTo(Status.DOWN);
			assertThat(lost.getDetails().get("problem")).asString().contains(HostedDevice.EXIT);
			this.device.restart();
			assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void theEndpointShowsEachHost() {
		this.contextRunner.run((context) -> {
			RingKernelsEndpoint endpoint = new RingKernelsEndpoint(context.getBean(RingKernelRuntime.class));
			assertThat(hostOf(endpoint)).containsEntry("pid", 7L)
				.containsEntry("devices", List.of(0))
				.containsKeys("startedAt", "uptimeMillis")
				.doesNotContainKey("lastExit");
			this.device.lose();
			assertThat(hostOf(endpoint)).doesNotContainKeys("pid", "startedAt", "uptimeMillis")
				.containsEntry("crashes", 1)
				.containsEntry("lastExit", HostedDevice.EXIT);
			this.device.restart();
			assertThat(hostOf(endpoint)).containsEntry("pid", 8L)
				.containsEntry("restarts", 1)
				.containsEntry("outageMillis", 2000L)
				.containsEntry("quarantined", List.of("twice"));
		});
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> hostOf(RingKernelsEndpoint endpoint) {
		return ((List<Map<String, Object>>) platform(endpoint).get("hosts")).get(0);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> platform(RingKernelsEndpoint endpoint) {
		return (Map<String, Object>) endpoint.ringKernels().get("platform");
	}

	@Test
	void metersCountRestartsAndOutages() {
		this.contextRunner.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("ringkernel.host.restarts").functionCounter().count()).isZero();
			this.device.lose();
			this.device.restart();
			assertThat(registry.get("ringkernel.host.restarts").functionCounter().count()).isEqualTo(1);
			assertThat(registry.get("ringkernel.host.outage").functionTimer().count()).isEqualTo(1);
			assertThat(registry.get("ringkernel.host.outage").functionTimer().totalTime(TimeUnit.SECONDS)).isEqualTo(2);
			assertThat(registry.get("ringkernel.host.quarantined").gauge().value()).isEqualTo(1);
		});
	}

	@Test
	void anApplicationThatUsesItsDevicesItselfHasNoHost() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
			.withUserConfiguration(Twice.class)
			.run((context) -> {
				RingKernelRuntime runtime = context.getBean(RingKernelRuntime.class);
				assertThat(runtime.hosts()).isEmpty();
				assertThat(platform(new RingKernelsEndpoint(runtime))).doesNotContainKey("hosts");
			});
	}

}
