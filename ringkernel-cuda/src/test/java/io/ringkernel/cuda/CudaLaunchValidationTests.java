package io.ringkernel.cuda;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.ringkernel.KernelState;
import io.ringkernel.backend.Compile;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.driver.FunctionAttributes;
import io.ringkernel.cuda.driver.LaunchShape;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.KernelInfo;
import io.ringkernel.cuda.image.MessageShape;
import io.ringkernel.cuda.load.LaunchParameter;
import io.ringkernel.cuda.load.LaunchValidation;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedKernel;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever is wrong with a launch is found before it, with the value, the limit and the
 * remedy.
 */
@Timeout(60)
class CudaLaunchValidationTests {

	/** Where a kernel's description has its flags, and one of them. */
	private static final int FLAGS = 76;

	private static final int ERASED = 4;

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
			java.util.List.of(new CudaBackendProvider(new CudaPlatform(CudaDriver.bounded(this.driver)))));

	@AfterEach
	void nothingIsLeftBehind() {
		this.runtime.close();
		assertThat(this.context.registrations()).isZero();
		assertThat(this.context.allocatedBytes()).isZero();
		assertThat(this.context.streams()).isZero();
		assertThat(this.context.heldUp()).isEmpty();
	}

	@Test
	void workersOfOneWarpShareBlocksOfFour() {
		Kernel<Echo, Echo> kernel = this.runtime.define(echo(options(32, 32)));
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		assertThat(this.context.launches().shapes()).containsOnly(new LaunchShape(8, 128, 4 * 1024));
	}

	@Test
	void workersOfManyThreadsHaveBlocksOfTheirOwn() {
		launch(echo(options(5, 512)));
		assertThat(this.context.launches().shapes()).containsOnly(new LaunchShape(5, 512, 1024));
	}

	@Test
	void fewWorkersShareOneBlock() {
		launch(echo(options(3, 32)));
		assertThat(this.context.launches().shapes()).containsOnly(new LaunchShape(1, 96, 3 * 1024));
	}

	@Test
	void sharedMemoryBoundsTheWorkersOfABlock() {
		refused(echo(options(4, 32)), (kernel) -> kernel.set(60, 300_000))
			.withMessageContaining("a worker needs 300000 B of shared memory, and a block has 200000 B");
	}

	@Test
	void aWorkerThatWasCompiledWithoutItsMessagesIsToldTheirShape() {
		KernelSpec<Echo, Echo> echo = echo(options(3, 32));
		this.context.kernel("echo").set(FLAGS, ERASED);
		launch(echo);
		ByteBuffer parameter = this.context.launches().lastParameter();
		assertThat(parameter).isNotNull();
		assertThat(parameter.capacity()).isEqualTo(LaunchParameter.BYTES + MessageShape.BYTES);
		assertThat(parameter.getInt(LaunchParameter.BYTES)).isEqualTo(echo.requests().fixedSize());
		int messages = MessageShape.of(echo, KernelInfo.read(this.context.kernel("echo").info())).sharedBytes();
		assertThat(this.context.launches().shapes()).containsOnly(new LaunchShape(1, 96, 3 * (1024 + messages)));
	}

	@Test
	void messagesThatNeedMoreSharedMemoryThanABlockHasAreRefused() {
		refused(echo(options(4, 32)), (kernel) -> kernel.set(60, 199_900).set(FLAGS, ERASED))
			.withMessageContaining("a worker needs 200060 B of shared memory, and a block has 200000 B");
	}

	@Test
	void aKernelWithoutAnImage() {
		KernelSpec<Echo, Echo> spec = new CpuTestKernels()
			.echo(options(1, 32).toBuilder().compile(Compile.OFF).build());
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(() -> KernelImage.of(spec))
			.withMessageContaining("it has no CUDA image")
			.withMessageContaining("classpath:kernels/echo.ptx");
	}

	@Test
	void anImageThatIsNotThere() {
		refused(located("classpath:kernels/none.ptx"))
			.withMessageContaining("'classpath:kernels/none.ptx' is not on the class path");
	}

	@Test
	void aFileThatIsNotThere() {
		refused(located("/none/such.ptx")).withMessageContaining("'/none/such.ptx' cannot be read");
	}

	@Test
	void theOnlyEntryOfAnImageNeedNotBeNamed() {
		KernelSpec<Echo, Echo> echo = echo(options(1, 32));
		Kernel<Echo, Echo> kernel = launch(CudaTestKernels.renamed("another-id", echo));
		kernel.activate();
		assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
	}

	@Test
	void ofSeveralEntriesNoneIsGuessed() {
		String image = SimulatedKernel.image("ekko", ".version 8.3\n.target sm_75\n.entry ekko()\n.entry gecko()");
		refused(located(image)).withMessageContaining("has no entry 'echo'; it has ekko, gecko. Name the right one");
	}

	@Test
	void anImageWithoutEntries() {
		refused(located(SimulatedKernel.image("none", ".version 8.3\n.target sm_75")))
			.withMessageContaining("has no entry 'echo'; it has none.");
	}

	@Test
	void anEntryThatIsNamedAndNotThere() {
		refused(located(SimulatedKernel.image("ekko", ".version 8.3\n.target sm_75\n.entry ekko()") + "#echo"))
			.withMessageContaining("has no entry 'echo'; it has ekko.");
	}

	@Test
	void anImageForALaterDevice() {
		refused(built(".version 8.4\n.target sm_100a\n"))
			.withMessageContaining("built for compute capability 10.0, and Simulated has 9.0");
	}

	@Test
	void anImageForAnEarlierDeviceAlone() {
		DeviceProperties later = new DeviceProperties("Later", 10, 0, 8, 1L << 34, 1024, 200_000, false, false, true,
				true, true, true, true, 0);
		KernelSpec<Echo, Echo> spec = built(".version 8.4\n.target sm_90a\n");
		LaunchValidation validation = new LaunchValidation(spec, later, KernelImage.of(spec));
		assertThatExceptionOfType(UnusableImageException.class).isThrownBy(() -> validation.checkImage(13_000))
			.withMessageContaining("is built for sm_90a, which other devices do not take")
			.withMessageContaining("Later has compute capability 10.0. Build it with an -arch without the letter");
	}

	@Test
	void anImageForALaterDriver() {
		refused(built(".version 9.1\n.target sm_75\n"))
			.withMessageContaining("PTX 9.1, which drivers from CUDA 13.1 on load, and this one is for CUDA 13.0");
	}

	@Test
	void anImageThatDescribesNoRingKernel() {
		refused(echo(options(1, 32)), SimulatedKernel::withoutInfo).withMessageContaining("'echo_info' in its image")
			.withMessageContaining("RING_KERNEL");
	}

	@Test
	void anImageOfAnotherVersionOfTheRing() {
		int other = ControlBlock.ABI_VERSION + 1;
		refused(echo(options(1, 32)), (kernel) -> kernel.set(8, other)).withMessageContaining(
				"speaks version %d of the ring, and this library version %d", other, ControlBlock.ABI_VERSION);
	}

	@Test
	void anImageOfAnotherRequest() {
		refused(echo(options(1, 32)), (kernel) -> kernel.set(16, 1)).withMessageContaining("has another request")
			.withMessageContaining("a fixed block of 64 B, at most 64 B")
			.withMessageContaining("producer int64");
	}

	@Test
	void anImageOfAnotherRequestShowsTheLayoutsOfBoth() {
		refused(echo(options(1, 32)),
				(kernel) -> kernel.set(16, 1).builtWith("Ping: its request\n", "Pong: its response\n"))
			.withMessageContaining("In Java it is\nEcho: fixed block of 64 bytes")
			.withMessageContaining("and in the image\nPing: its request\n")
			.withMessageNotContaining("Pong");
	}

	@Test
	void anImageOfAnotherResponse() {
		refused(echo(options(1, 32)), (kernel) -> kernel.set(44, 128)).withMessageContaining("has another response")
			.withMessageContaining("at most 128 B")
			.withMessageContaining("and the image does not state its own");
	}

	@Test
	void workersThatWaitForEachOtherAreLaunchedAsAWhole() {
		KernelSpec<Echo, Echo> spec = echo(options(5, 512));
		this.context.kernel("echo").set(76, 2);
		launch(spec);
		assertThat(this.context.launches().shapes()).containsOnly(new LaunchShape(5, 512, 1024, true));
	}

	@Test
	void workersThatWaitForEachOtherOnADeviceThatDoesNotLaunchThemAsAWhole() {
		DeviceProperties device = new DeviceProperties("Simulated", 9, 0, 8, 1L << 34, 1024, 200_000, false, false,
				true, true, true, false, true, 0);
		KernelSpec<Echo, Echo> spec = echo(options(1, 32));
		byte[] info = this.context.kernel("echo").set(76, 2).info();
		LaunchValidation validation = new LaunchValidation(spec, device, KernelImage.of(spec));
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(() -> validation.checkInfo(info, () -> {
			throw new AssertionError("The layouts agree");
		}))
			.withMessageContaining(
					"the workers of 'echo' wait for each other, and Simulated takes no cooperative launch");
	}

	@Test
	void moreThreadsThanTheImageIsBuiltFor() {
		refused(echo(options(1, 512)), (kernel) -> kernel.set(72, 256))
			.withMessageContaining("threads-per-worker = 512 exceeds 256, the most that 'echo' is built for");
	}

	@Test
	void moreThreadsThanTheRegistersAllow() {
		this.context.attributes(new FunctionAttributes(256, 255, 0, 0));
		refused(echo(options(1, 512))).withMessageContaining("threads-per-worker = 512 exceeds 256")
			.withMessageContaining("255 registers");
	}

	@Test
	void moreWorkersThanTheDeviceHolds() {
		this.context.launches().blocksPerMultiprocessor(1);
		refused(echo(options(64, 1024)))
			.withMessageContaining("its 64 workers make 64 blocks, and 8 multiprocessors hold 8 at once");
	}

	@Test
	void moreMemoryThanTheDeviceHas() {
		this.context.memoryBytes(1000);
		refused(echo(options(4, 32))).withMessageContaining("CUDA_ERROR_OUT_OF_MEMORY")
			.withMessageContaining("Lower workers or the capacities of its messages");
	}

	private static KernelOptions options(int workers, int threads) {
		return KernelOptions.builder().workers(workers).threadsPerWorker(threads).build();
	}

	private KernelSpec<Echo, Echo> echo(KernelOptions options) {
		return this.context.install(new CpuTestKernels().echo(options));
	}

	private KernelSpec<Echo, Echo> located(String image) {
		return CudaTestKernels.withImage(echo(options(1, 32)), image);
	}

	private KernelSpec<Echo, Echo> built(String header) {
		KernelSpec<Echo, Echo> echo = echo(options(1, 32));
		return CudaTestKernels.withImage(echo,
				SimulatedKernel.image("echo", header + this.context.kernel("echo").text("echo")));
	}

	private <I extends Record, O extends Record> Kernel<I, O> launch(KernelSpec<I, O> spec) {
		Kernel<I, O> kernel = this.runtime.define(spec);
		kernel.launch();
		return kernel;
	}

	private ThrowableAssertAlternative<KernelLaunchException> refused(KernelSpec<?, ?> spec) {
		return refused(spec, (kernel) -> {
		});
	}

	private ThrowableAssertAlternative<KernelLaunchException> refused(KernelSpec<?, ?> spec,
			Consumer<SimulatedKernel> change) {
		change.accept(this.context.kernel("echo"));
		Kernel<?, ?> kernel = this.runtime.define(spec);
		ThrowableAssertAlternative<KernelLaunchException> thrown = assertThatExceptionOfType(
				KernelLaunchException.class)
			.isThrownBy(kernel::launch)
			.withMessageStartingWith("Ring kernel 'echo' cannot be launched: ");
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		return thrown;
	}

}
