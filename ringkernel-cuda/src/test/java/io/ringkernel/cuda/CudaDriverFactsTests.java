package io.ringkernel.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaModule;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.MachineCode;
import io.ringkernel.cuda.image.KernelInfo;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which calls the driver holds up while a kernel runs. The backend relies on those that
 * are asserted; the others are reported.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaDriverFactsTests {

	@Test
	void whatTheBackendCallsWhileAKernelRunsReturnsAtOnce(TestReporter reporter) {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null))) {
			Kernel<Echo, Echo> kernel = runtime.define(new CudaTestKernels().echo(KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			CudaContext context = CudaPlatform.system().device().context();
			Stopwatch stopwatch = new Stopwatch(reporter);
			DevicePointer[] memory = new DevicePointer[1];
			CudaStream[] stream = new CudaStream[1];
			ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
			assertThat(stopwatch.millis("cuMemAlloc", () -> memory[0] = context.allocate(1 << 20))).isLessThan(500);
			assertThat(stopwatch.millis("cuStreamCreate", () -> stream[0] = context.createStream())).isLessThan(500);
			assertThat(stopwatch.millis("cuMemsetD8Async", () -> context.zero(memory[0], 1 << 20, stream[0])))
				.isLessThan(500);
			assertThat(stopwatch.millis("cuMemcpyHtoDAsync", () -> context.upload(memory[0], bytes, stream[0])))
				.isLessThan(500);
			assertThat(stopwatch.millis("cuMemcpyDtoHAsync", () -> context.download(bytes, memory[0], stream[0])))
				.isLessThan(500);
			assertThat(stopwatch.millis("cuStreamQuery", () -> context.isDone(stream[0]))).isLessThan(500);
			assertThat(stopwatch.millis("cuStreamDestroy", () -> context.destroy(stream[0]))).isLessThan(500);
			byte[] ptx = ptx("blob");
			MachineCode[] code = new MachineCode[1];
			// It compiles the kernel, which takes half a second.
			assertThat(stopwatch.millis("cuLinkComplete", () -> code[0] = context.link(List.of(ptx)))).isLessThan(5000);
			kernel.terminate();
			context.free(memory[0]);
			CudaModule module = context.load(code[0]);
			assertThat(context.global(module, "blob_info")).hasSize(KernelInfo.BYTES);
			assertThat(context.attributes(context.function(module, "blob")).registersPerThread()).isPositive();
		}
	}

	@Test
	void whetherRegisteringIsHeldUpIsReported(TestReporter reporter) throws InterruptedException {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null))) {
			Kernel<Echo, Echo> kernel = runtime.define(
					new CudaTestKernels().echo(KernelOptions.builder().stopTimeout(Duration.ofSeconds(15)).build()));
			kernel.launch();
			kernel.activate();
			CudaContext context = CudaPlatform.system().device().context();
			Stopwatch stopwatch = new Stopwatch(reporter);
			ByteBuffer pages = ByteBuffer.allocateDirect((1 << 20) + 4096).alignedSlice(4096).slice(0, 1 << 20);
			Thread registering = new Thread(() -> {
				stopwatch.millis("cuMemHostRegister", () -> context.register(pages));
				stopwatch.millis("cuMemHostUnregister", () -> context.unregister(pages));
			});
			registering.start();
			registering.join(TimeUnit.SECONDS.toMillis(3));
			reporter.publishEntry("held up", String.valueOf(registering.isAlive()));
			kernel.terminate();
			registering.join(TimeUnit.SECONDS.toMillis(20));
			assertThat(registering.isAlive()).isFalse();
		}
	}

	/** Ended by a zero byte. */
	private static byte[] ptx(String kernel) {
		try (InputStream in = CudaDriverFactsTests.class.getResourceAsStream("/kernels/%s.ptx".formatted(kernel))) {
			byte[] text = in.readAllBytes();
			return Arrays.copyOf(text, text.length + 1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record Stopwatch(TestReporter reporter) {

		long millis(String call, Runnable body) {
			long begin = System.nanoTime();
			body.run();
			long micros = (System.nanoTime() - begin) / 1000;
			this.reporter.publishEntry(call, micros + " µs");
			return micros / 1000;
		}

	}

}
