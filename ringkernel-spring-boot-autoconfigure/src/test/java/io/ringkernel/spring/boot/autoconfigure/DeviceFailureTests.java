package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.SimulatedCuda;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.RingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for what an application that does not start on a machine with a device says, and
 * why.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeviceFailureTests {

	private final SimulatedCuda cuda = new SimulatedCuda().kernel("twice", Number.class, Number.class,
			(request) -> request);

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
					+ "To start without a device, set ringkernel.backend to cpu");
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
				"ringkernel.defaults.threads-per-worker=1024");
		assertThat(analysis(output))
			.contains("its 4 blocks take 50 % of the device, and [twice] take 63 %: together 113 %, "
					+ "where 100 % is the limit.")
			.contains("Lower the workers of one, or terminate one.");
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

	private static void assertThatStartFails(SimulatedCuda cuda, Class<?> kernels, String... properties) {
		assertThatStartFails(cuda, kernels, (kernelId, options) -> options, properties);
	}

	private static void assertThatStartFails(SimulatedCuda cuda, Class<?> kernels, KernelOptionsCustomizer customizer,
			String... properties) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(kernels, AutoConfigured.class).web(WebApplicationType.NONE)
				.properties("ringkernel.backend=cuda")
				.properties(properties)
				.initializers((GenericApplicationContext context) -> {
					context.registerBean("simulated", BackendProvider.class, cuda::provider);
					context.registerBean("customizer", KernelOptionsCustomizer.class, () -> customizer);
				})
				.run());
	}

	private static String analysis(CapturedOutput output) {
		String all = output.toString();
		String headline = "APPLICATION FAILED TO START";
		assertThat(all).contains(headline);
		return all.substring(all.lastIndexOf(headline));
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
