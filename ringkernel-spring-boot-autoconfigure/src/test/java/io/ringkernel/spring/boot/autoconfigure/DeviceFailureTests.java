package io.ringkernel.spring.boot.autoconfigure;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.SimulatedCuda;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.KernelPlanChangedEvent;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelHealthContributor;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelPlatformHealthIndicator;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelsEndpoint;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for what an application that does not start on a machine with a device says, and
 * why; and for what becomes of one whose device fails later.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeviceFailureTests {

	private final SimulatedCuda cuda = new SimulatedCuda().kernel("twice", Number.class, Number.class,
			(request) -> request);

	@BeforeAll
	static void writeImages() throws URISyntaxException {
		Path images = Path.of(DeviceFailureTests.class.getResource("/").toURI()).resolve("images");
		new SimulatedCuda().kernel("twice", Number.class, Number.class, (request) -> request)
			.kernel("repeat", Number.class, Number.class, (request) -> request)
			.writeImage(images.resolve("twice.ptx"), "8.3", "sm_75", "twice", "repeat")
			.writeImage(images.resolve("later-driver.ptx"), "9.1", "sm_75", "twice")
			.writeImage(images.resolve("later-device.ptx"), "8.4", "sm_100a", "twice");
	}

	@Test
	void noDriver(CapturedOutput output) {
		assertThatStartFails(this.cuda.withoutDriver(), WithImage.class);
		assertThat(analysis(output))
			.contains("'ringkernel.backend' has the value 'cuda', which cannot be honoured: "
					+ "not 'cuda', because no CUDA driver is installed.")
			.contains("Install the NVIDIA driver, or set ringkernel.backend to auto.");
	}

	@Test
	void driverThatIsTooOldForAnyImage(CapturedOutput output) {
		assertThatStartFails(this.cuda.driver(11_080), WithImage.class);
		assertThat(analysis(output)).contains("the driver is for CUDA 11.8 and 12.4 is needed")
			.contains("Install a newer NVIDIA driver");
	}

	@Test
	void driverThatIsTooOldForTheImage(CapturedOutput output) {
		assertThatStartFails(this.cuda, WithLaterDriver.class);
		assertThat(analysis(output))
			.contains(
					"Ring kernel 'twice' cannot be launched: its image 'classpath:images/later-driver.ptx' is PTX 9.1, "
							+ "which drivers from CUDA 13.1 on load, and this one is for CUDA 13.0.")
			.contains("Install a newer driver, or build the image with a lower .version. "
					+ "To start without the image, set ringkernel.backend to auto or cpu");
	}

	@Test
	void capabilityThatIsTooLowForAnyImage(CapturedOutput output) {
		assertThatStartFails(this.cuda.capability(6, 1), WithImage.class);
		assertThat(analysis(output)).contains("device 'Simulated' has compute capability 6.1 and 7.0 is needed")
			.contains("Use a newer device");
	}

	@Test
	void capabilityThatIsTooLowForTheImage(CapturedOutput output) {
		assertThatStartFails(this.cuda, WithLaterDevice.class);
		assertThat(analysis(output)).contains("is built for compute capability 10.0, and Simulated has 9.0.")
			.contains("Build it with a lower -arch, or use a newer device.");
	}

	@Test
	void deviceThatIsNotThere(CapturedOutput output) {
		assertThatStartFails(this.cuda, WithImage.class, "ringkernel.kernels.twice.devices=1");
		assertThat(analysis(output))
			.contains("'ringkernel.kernels.twice.devices' has the value '1', which is no device of this process, "
					+ "which sees 1.")
			.contains("Set it to 0, or have the process see more devices");
	}

	@Test
	void deviceOfAllKernelsThatIsNotThere(CapturedOutput output) {
		assertThatStartFails(this.cuda, WithImage.class, "ringkernel.device=2");
		assertThat(analysis(output)).contains("'ringkernel.device' has the value '2'");
	}

	@Test
	void imageThatIsNotThere(CapturedOutput output) {
		assertThatStartFails(this.cuda, WithoutImageFile.class);
		assertThat(analysis(output)).contains("its image 'classpath:images/none.ptx' is not on the class path.")
			.contains("Check the location, and that the build packages it.");
	}

	@Test
	void imageOfAnotherLayout(CapturedOutput output) {
		assertThatStartFails(new SimulatedCuda().kernel("twice", Number.class, Text.class, (request) -> new Text("")),
				WithImage.class);
		assertThat(analysis(output))
			.containsPattern("has another response: a fixed block of \\d+ B, at most \\d+ B, fingerprint [0-9a-f]{16}, "
					+ "where Java has a fixed block of 4 B, at most 4 B, fingerprint [0-9a-f]{16}. In Java it is")
			.contains("value int32")
			.contains("Generate the headers from the records and build the image anew.");
	}

	@Test
	void moreBlocksThanTheDeviceHoldsAtOnce(CapturedOutput output) {
		assertThatStartFails(this.cuda.blocksPerMultiprocessor(1), WithImage.class, "ringkernel.defaults.workers=64",
				"ringkernel.defaults.threads-per-worker=1024");
		assertThat(analysis(output)).contains("its 64 workers make 64 blocks, and 8 multiprocessors hold 8 at once.")
			.contains("Lower workers or threads-per-worker.");
	}

	@Test
	void kernelsThatTogetherAreMoreThanTheDeviceHolds(CapturedOutput output) {
		assertThatStartFails(
				this.cuda.kernel("repeat", Number.class, Number.class, (request) -> request).blocksPerMultiprocessor(1),
				TwoKernels.class, "ringkernel.kernels.twice.workers=5", "ringkernel.kernels.repeat.workers=4",
				"ringkernel.defaults.threads-per-worker=1024", "ringkernel.mode=persistent");
		assertThat(analysis(output)).contains("1 of its 4 workers gave no sign of life within")
			.contains("beside 'twice' (5 blocks of 1024 threads, of which a multiprocessor holds 1)")
			.contains("Lower the workers or threads-per-worker of one of them, run one on another device, "
					+ "or terminate one.");
	}

	@Test
	void ringMemoryThatCannotBeLocked(CapturedOutput output) {
		KernelOptionsCustomizer locksNoMore = (kernelId, options) -> {
			this.cuda.lockNoMore();
			return options;
		};
		assertThatStartFails(this.cuda, WithImage.class, locksNoMore, "ringkernel.mode=persistent",
				"ringkernel.transport=mapped");
		assertThat(analysis(output)).containsPattern("its ring of \\d+ B cannot be locked for the device")
			.contains("ulimit -l", "cuMemHostRegister failed with CUDA_ERROR_OPERATING_SYSTEM")
			.contains("Set ringkernel.backend, ringkernel.mode and ringkernel.transport to auto.");
	}

	@Test
	void withoutADeviceAnUnusableImageIsAWarning(CapturedOutput output) {
		try (ConfigurableApplicationContext context = application(this.cuda.withoutDriver(), WithoutImageFile.class,
				"ringkernel.backend=auto")
			.run()) {
			assertThat(output).contains("Ring kernel 'twice' runs on the CPU, and no device can run it: "
					+ "its image 'classpath:images/none.ptx' is not on the class path. "
					+ "Check the location, and that the build packages it.");
			assertThat(context.getBean(RingKernelsEndpoint.class).ringKernel("twice")).extractingByKey("reasons")
				.asInstanceOf(InstanceOfAssertFactories.LIST)
				.contains(
						"no device can run the kernel: its image 'classpath:images/none.ptx' is not on the class path");
		}
	}

	@Test
	void withoutADeviceAnUnusableImageFailsWhereThatIsAskedFor(CapturedOutput output) {
		assertThatStartFails(this.cuda.withoutDriver(), WithoutImageFile.class, "ringkernel.backend=auto",
				"ringkernel.fail-on-unusable-image=true");
		assertThat(analysis(output)).contains("its image 'classpath:images/none.ptx' is not on the class path.")
			.contains("Check the location, and that the build packages it. To start without the image, "
					+ "set ringkernel.backend to auto or cpu and ringkernel.fail-on-unusable-image to false");
	}

	@Test
	void aHandlerThatCannotBeCompiledFailsWhereThatIsRequired(CapturedOutput output) {
		assertThatStartFails(this.cuda.withoutDriver(), Hasty.class, "ringkernel.backend=auto",
				"ringkernel.kernels.hasty.compile=required");
		assertThat(analysis(output)).contains("its handler is not compiled for a device", "Hasty.handle, line ")
			.contains("or, where the handler is compiled to it, ringkernel.kernels.hasty.compile to auto");
	}

	@Test
	void onADeviceAnUnusableImageRunsOnTheCpuUnlessCudaIsAskedFor() {
		try (ConfigurableApplicationContext context = application(this.cuda, WithLaterDriver.class,
				"ringkernel.backend=auto")
			.run()) {
			Map<String, Object> kernel = context.getBean(RingKernelsEndpoint.class).ringKernel("twice");
			assertThat(kernel).containsEntry("backend", "cpu").containsEntry("state", "ACTIVE");
			assertThat(kernel).extractingByKey("reasons")
				.asString()
				.contains("not 'cuda', because its image 'classpath:images/later-driver.ptx' is PTX 9.1, which drivers "
						+ "from CUDA 13.1 on load, and this one is for CUDA 13.0");
		}
	}

	@Test
	void aFaultLaterOnHasTheKernelGoOnOnTheCpu(CapturedOutput output) {
		PlanChanges changes = new PlanChanges();
		try (ConfigurableApplicationContext context = application(this.cuda, WithImage.class, "ringkernel.backend=auto",
				"ringkernel.defaults.replay=idempotent")
			.run()) {
			context.addApplicationListener(changes);
			RingKernelRuntime runtime = context.getBean(RingKernelRuntime.class);
			Kernel<Number, Number> kernel = kernel(context);
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
			this.cuda.fault();
			assertThat(kernel.client().call(new Number(21))).isEqualTo(new Number(21));
			// The call is answered as soon as the CPU serves the ring, and the event
			// follows.
			Awaitility.await().untilAsserted(() -> assertThat(changes.events).hasSize(1));
			assertThat(changes.events).singleElement().satisfies((event) -> {
				assertThat(event.getTo().backend()).isEqualTo(BackendKind.CPU);
				assertThat(event.isStateKept()).isFalse();
			});
			assertThat(output).contains("WARN").contains("its state begins anew");
			assertThat(context.getBean(RingKernelsEndpoint.class).ringKernel("twice")).containsEntry("backend", "cpu")
				.containsEntry("state", "ACTIVE")
				.extractingByKey("reasons")
				.asString()
				.contains("lost the device", "CUDA_ERROR_ILLEGAL_ADDRESS");
			assertThat(health(new RingKernelHealthContributor(runtime).getContributor("twice"))).isEqualTo(Status.UP);
			assertThat(health(new RingKernelPlatformHealthIndicator(runtime))).isEqualTo(Status.DOWN);
		}
	}

	@Test
	void aFaultLaterOnFailsTheKernelWhereCudaIsAskedFor() {
		try (ConfigurableApplicationContext context = application(this.cuda, WithImage.class).run()) {
			Kernel<Number, Number> kernel = kernel(context);
			this.cuda.fault();
			assertThatException().isThrownBy(() -> kernel.client().call(new Number(21)));
			Awaitility.await().until(() -> kernel.state() == KernelState.FAILED);
			assertThat(context.getBean(RingKernelsEndpoint.class).ringKernel("twice")).containsEntry("state", "FAILED")
				.extractingByKey("lastFailure")
				.asString()
				.contains("lost the device", "CUDA_ERROR_ILLEGAL_ADDRESS", "Restart the application");
		}
	}

	@SuppressWarnings("unchecked")
	private static Kernel<Number, Number> kernel(ConfigurableApplicationContext context) {
		return context.getBean("twice.kernel", Kernel.class);
	}

	private static Status health(HealthContributor contributor) {
		return ((HealthIndicator) contributor).health().getStatus();
	}

	private static void assertThatStartFails(SimulatedCuda cuda, Class<?> kernels, String... properties) {
		assertThatStartFails(cuda, kernels, (kernelId, options) -> options, properties);
	}

	private static void assertThatStartFails(SimulatedCuda cuda, Class<?> kernels, KernelOptionsCustomizer customizer,
			String... properties) {
		assertThatException().isThrownBy(() -> application(cuda, kernels, properties)
			.initializers((GenericApplicationContext context) -> context.registerBean("customizer",
					KernelOptionsCustomizer.class, () -> customizer))
			.run());
	}

	private static SpringApplicationBuilder application(SimulatedCuda cuda, Class<?> kernels, String... properties) {
		return new SpringApplicationBuilder(kernels, AutoConfigured.class).web(WebApplicationType.NONE)
			.properties("ringkernel.backend=cuda")
			.properties(properties)
			.initializers((GenericApplicationContext context) -> {
				context.registerBean("simulated", BackendProvider.class, cuda::provider);
				context.registerBean("cpu", BackendProvider.class, CpuBackendProvider::new);
				context.registerBean(RingKernelsEndpoint.class,
						() -> new RingKernelsEndpoint(context.getBean(RingKernelRuntime.class)));
			});
	}

	private static String analysis(CapturedOutput output) {
		String all = output.toString();
		String headline = "APPLICATION FAILED TO START";
		assertThat(all).contains(headline);
		return all.substring(all.lastIndexOf(headline));
	}

	private static final class PlanChanges implements ApplicationListener<KernelPlanChangedEvent> {

		private final List<KernelPlanChangedEvent> events = new CopyOnWriteArrayList<>();

		@Override
		public void onApplicationEvent(KernelPlanChangedEvent event) {
			this.events.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RingKernelAutoConfiguration.class)
	static class AutoConfigured {

	}

	abstract static class Same implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return request;
		}

	}

	@RingKernel(id = "twice", image = "classpath:images/twice.ptx")
	static class WithImage extends Same {

	}

	@RingKernel(id = "hasty")
	static class Hasty implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number number) {
			return new Number((int) System.nanoTime());
		}

	}

	@RingKernel(id = "repeat", image = "classpath:images/twice.ptx#repeat")
	static class Repeat extends Same {

	}

	@RingKernel(id = "twice", image = "classpath:images/later-driver.ptx")
	static class WithLaterDriver extends Same {

	}

	@RingKernel(id = "twice", image = "classpath:images/later-device.ptx")
	static class WithLaterDevice extends Same {

	}

	@RingKernel(id = "twice", image = "classpath:images/none.ptx")
	static class WithoutImageFile extends Same {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ WithImage.class, Repeat.class })
	static class TwoKernels {

	}

}
