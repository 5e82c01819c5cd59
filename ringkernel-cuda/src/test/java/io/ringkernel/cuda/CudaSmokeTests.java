package io.ringkernel.cuda;

import java.time.Duration;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first things to know on a new device: one kernel, one request, one stop.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSmokeTests {

	private static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	private final TestKernels kernels = new CudaTestKernels();

	@Test
	void aKernelIsLoadedAndDiscarded() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA)) {
			Kernel<Echo, Echo> kernel = runtime.define(this.kernels.echo(KernelOptions.DEFAULTS));
			kernel.launch();
			assertThat(kernel.state()).isEqualTo(KernelState.LAUNCHED);
			kernel.terminate();
			assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		}
	}

	@Test
	void aRequestIsAnswered() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA)) {
			Kernel<Echo, Echo> kernel = runtime.define(this.kernels.echo(KernelOptions.builder().workers(1).build()));
			kernel.launch();
			kernel.activate();
			Echo request = Echo.of(1, 2);
			assertThat(kernel.client().call(request, Duration.ofSeconds(10))).isEqualTo(request);
			kernel.terminate();
		}
	}

	@Test
	void theTimeOfEveryRequestOnTheDeviceIsTold() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA)) {
			Kernel<Echo, Echo> kernel = runtime.define(this.kernels.echo(KernelOptions.builder().workers(2).build()));
			kernel.launch();
			kernel.activate();
			assertThat(kernel.deviceTimes()).isEmpty();
			for (int i = 0; i < 10; i++) {
				kernel.client().call(Echo.of(i, i), Duration.ofSeconds(10));
			}
			kernel.deactivate();
			assertThat(kernel.deviceTimes()).hasValueSatisfying((times) -> {
				assertThat(times.count()).isEqualTo(10);
				assertThat(times.histogram()).extracting(DeviceTimes.Bucket::count).doesNotContain(0L);
				long most = times.histogram().stream().mapToLong((it) -> it.count() * it.belowNanos()).sum();
				assertThat(times.totalNanos()).isPositive().isLessThan(most);
			});
		}
	}

	@Test
	void aLargeRequestIsAnswered() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA)) {
			Kernel<Blob, BlobReply> kernel = runtime.define(this.kernels.blob(KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			byte[] bytes = new byte[65_536];
			for (int i = 0; i < bytes.length; i++) {
				bytes[i] = (byte) (i * 31);
			}
			BlobReply reply = kernel.client().call(new Blob(1, 2, bytes), Duration.ofSeconds(10));
			assertThat(reply.checksum()).isEqualTo(Blob.checksum(bytes));
			assertThat(reply.bytes()).isEqualTo(bytes);
			kernel.terminate();
		}
	}

}
