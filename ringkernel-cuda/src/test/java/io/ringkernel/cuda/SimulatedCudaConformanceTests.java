package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.PlatformConformanceTests;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * What differs by platform, over the CUDA backend whose device is simulated: everything
 * but the driver and the device code. The whole suite runs on the emulated driver.
 */
class SimulatedCudaConformanceTests extends PlatformConformanceTests {

	private final SimulatedDriver driver = new SimulatedDriver();

	@Override
	protected BackendProvider provider() {
		return new CudaBackendProvider(new CudaPlatform(CudaDriver.bounded(this.driver)));
	}

	@Override
	protected TestKernels kernels() {
		SimulatedContext device = this.driver.context();
		return new CpuTestKernels() {

			@Override
			protected <I extends Record, O extends Record> KernelSpec<I, O> installed(KernelSpec<I, O> spec) {
				return device.install(spec);
			}

		};
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED);
	}

}
