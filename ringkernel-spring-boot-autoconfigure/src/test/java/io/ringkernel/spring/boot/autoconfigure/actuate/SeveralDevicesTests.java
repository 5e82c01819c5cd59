package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.SimulatedCuda;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what endpoint and health show of several devices.
 */
class SeveralDevicesTests {

	private final SimulatedCuda cuda = new SimulatedCuda().devices(2)
		.kernel("first", Number.class, Number.class, (request) -> request)
		.kernel("second", Number.class, Number.class, (request) -> request);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
		.withBean(BackendProvider.class, this.cuda::provider)
		.withPropertyValues("ringkernel.backend=cuda", "ringkernel.defaults.workers=2")
		.withUserConfiguration(TwoKernels.class);

	@BeforeAll
	static void writeImage() throws URISyntaxException {
		Path images = Path.of(SeveralDevicesTests.class.getResource("/").toURI()).resolve("images");
		new SimulatedCuda().kernel("first", Number.class, Number.class, (request) -> request)
			.kernel("second", Number.class, Number.class, (request) -> request)
			.writeImage(images.resolve("devices.ptx"), "8.3", "sm_75", "first", "second");
	}

	@Test
	void oneDeviceIsShownAsThePlatform() {
		this.contextRunner.run((context) -> {
			Map<String, Object> body = new RingKernelsEndpoint(context.getBean(RingKernelRuntime.class)).ringKernels();
			assertThat(body).extractingByKey("platform", InstanceOfAssertFactories.MAP)
				.containsEntry("device", "Simulated")
				.containsEntry("device-index", "0")
				.containsKey("plan")
				.doesNotContainKey("devices");
		});
	}

	@Test
	void eachDeviceInUseIsShownWithItsPlanAndReasons() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.second.devices=1").run((context) -> {
			Map<String, Object> body = new RingKernelsEndpoint(context.getBean(RingKernelRuntime.class)).ringKernels();
			assertThat(body).extractingByKey("platform", InstanceOfAssertFactories.MAP)
				.containsEntry("device-index", "0")
				.extractingByKey("devices", InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("0", "1")
				.extractingByKey("1", InstanceOfAssertFactories.MAP)
				.containsEntry("device-index", "1")
				.extractingByKey("plan", InstanceOfAssertFactories.MAP)
				.containsEntry("device", 1)
				.containsKey("reasons");
			assertThat(body).extractingByKey("kernels", InstanceOfAssertFactories.MAP)
				.extractingByKey("second", InstanceOfAssertFactories.MAP)
				.containsEntry("device", 1);
		});
	}

	@Test
	void theDefaultDeviceIsThatOfTheProperty() {
		this.contextRunner.withPropertyValues("ringkernel.device=1", "ringkernel.kernels.second.devices=0")
			.run((context) -> {
				RingKernelRuntime runtime = context.getBean(RingKernelRuntime.class);
				assertThat(runtime.kernels()).extracting((kernel) -> kernel.plan().device())
					.containsExactlyInAnyOrder(1, 0);
				assertThat(runtime.plan().device()).isEqualTo(1);
			});
	}

	@Test
	void aKernelShowsWhatItIsLaunchedWith() {
		this.contextRunner.run((context) -> {
			Map<String, Object> kernel = new RingKernelsEndpoint(context.getBean(RingKernelRuntime.class))
				.ringKernel("first");
			assertThat(kernel).extractingByKey("launch", InstanceOfAssertFactories.MAP)
				.containsEntry("image", "classpath:images/devices.ptx")
				.containsEntry("ptxVersion", "8.3")
				.containsEntry("blocks", 1)
				.containsEntry("threadsPerBlock", 64)
				.containsEntry("registersPerThread", 32)
				.containsEntry("blocksPerMultiprocessor", 2)
				.containsKeys("workersPerBlock", "sharedBytesPerBlock", "localBytesPerThread", "cooperative",
						"launchedBy");
		});
	}

	@Test
	void aLostDeviceIsToldFromASoundOne() {
		this.contextRunner
			.withPropertyValues("ringkernel.kernels.second.devices=1", "ringkernel.kernels.second.stop-timeout=300ms")
			.run((context) -> {
				RingKernelRuntime runtime = context.getBean(RingKernelRuntime.class);
				this.cuda.fault(1);
				Awaitility.await()
					.until(() -> runtime.kernel("second").orElseThrow().status().state() == KernelState.FAILED);
				Health platform = new RingKernelPlatformHealthIndicator(runtime).health();
				assertThat(platform.getStatus()).isEqualTo(Status.DOWN);
				assertThat((String) platform.getDetails().get("problem")).startsWith("This process has lost device 1: ")
					.endsWith("Restart the application.");
				assertThat(runtime.kernel("first").orElseThrow().status().state()).isEqualTo(KernelState.ACTIVE);
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoKernels {

		@Bean
		@RingKernel(id = "first", image = "classpath:images/devices.ptx")
		RingKernelHandler<Number, Number> first() {
			return (request) -> request;
		}

		@Bean
		@RingKernel(id = "second", image = "classpath:images/devices.ptx")
		RingKernelHandler<Number, Number> second() {
			return (request) -> request;
		}

	}

}
