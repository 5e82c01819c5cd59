package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.BackendConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;

/**
 * The conformance suite over the CUDA backend, whose device is simulated. Which plan it
 * runs, and what the device cannot do, is said by the subclasses.
 */
abstract class SimulatedConformanceTests extends BackendConformanceTests {

	private final SimulatedDriver driver = new SimulatedDriver();

	private final CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));

	SimulatedContext context() {
		return this.driver.context();
	}

	@Override
	protected BackendProvider provider() {
		return new CudaBackendProvider(this.platform);
	}

	@Override
	protected TestKernels kernels() {
		return new SimulatedCudaTestKernels(context());
	}

}
