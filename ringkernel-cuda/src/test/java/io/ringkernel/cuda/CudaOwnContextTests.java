package io.ringkernel.cuda;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Another CUDA library of the process, which uses the primary context of the device,
 * beside kernels that stay.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaOwnContextTests {

	@Test
	void anotherLibrarySynchronizesAndFreesWhileAKernelStays() throws Exception {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null))) {
			Kernel<Echo, Echo> kernel = runtime.define(new CudaTestKernels().echo(KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			assertThat(kernel.client().call(Echo.of(0, 1))).isEqualTo(Echo.of(0, 1));
			long launches = kernel.status().loopLaunches();
			CompletableFuture.runAsync(CudaOwnContextTests::useThePrimaryContext).get(20, TimeUnit.SECONDS);
			assertThat(kernel.client().call(Echo.of(0, 2))).isEqualTo(Echo.of(0, 2));
			if (kernel.plan().mode() == ExecutionMode.PERSISTENT) {
				assertThat(kernel.status().loopLaunches()).isEqualTo(launches);
			}
		}
	}

	private static void useThePrimaryContext() {
		CUdevice device = new CUdevice();
		succeed(JCudaDriver.cuDeviceGet(device, 0));
		CUcontext context = new CUcontext();
		succeed(JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
		succeed(JCudaDriver.cuCtxSetCurrent(context));
		CUdeviceptr memory = new CUdeviceptr();
		succeed(JCudaDriver.cuMemAlloc(memory, 1 << 20));
		succeed(JCudaDriver.cuMemsetD8(memory, (byte) 1, 1 << 20));
		succeed(JCudaDriver.cuCtxSynchronize());
		succeed(JCudaDriver.cuMemFree(memory));
		// Its last release would destroy it, which waits for the kernels of all contexts.
	}

	private static void succeed(int code) {
		assertThat(code).isZero();
	}

}
