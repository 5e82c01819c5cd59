package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.BackendConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * The conformance suite over the CUDA backend, whose device is simulated: everything but
 * the driver and the device code. Other plans are tested on the emulated driver.
 */
class SimulatedCudaConformanceTests extends BackendConformanceTests {

	private final SimulatedDriver driver = new SimulatedDriver();

	@Override
	protected BackendProvider provider() {
		return new CudaBackendProvider(new CudaPlatform(CudaDriver.bounded(this.driver)));
	}

	@Override
	protected TestKernels kernels() {
		return new SimulatedCudaTestKernels(this.driver.context());
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED);
	}

}
