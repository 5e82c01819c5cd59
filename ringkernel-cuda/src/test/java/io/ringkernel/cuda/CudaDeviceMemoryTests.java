package io.ringkernel.cuda;

import java.nio.ByteBuffer;
import java.util.Random;

import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Memory of the device comes, goes and is copied while a kernel runs.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaDeviceMemoryTests {

	@Test
	void whatWasUploadedIsDownloadedWhileAKernelRuns() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null))) {
			Kernel<Echo, Echo> kernel = runtime.define(new CudaTestKernels().echo(KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			for (int round = 0; round < 20; round++) {
				byte[] bytes = new byte[(20 << 20) + round];
				new Random(round).nextBytes(bytes);
				try (DeviceMemory memory = kernel.allocate(bytes.length + 3L).orElseThrow()) {
					memory.upload(3, ByteBuffer.wrap(bytes));
					byte[] back = new byte[bytes.length];
					memory.download(3, ByteBuffer.wrap(back));
					assertThat(back).isEqualTo(bytes);
				}
				Echo request = Echo.of(1, round);
				assertThat(kernel.client().call(request)).isEqualTo(request);
			}
		}
	}

}
