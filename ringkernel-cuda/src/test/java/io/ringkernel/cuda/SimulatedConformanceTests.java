package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.PlatformConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.simulated.SimulatedDriver;

/**
 * The conformance suite of platforms over the CUDA backend, whose device is simulated. A
 * subclass says the plan. The whole suite runs over one plan of the simulated device and
 * over one bridge of the emulated driver.
 */
abstract class SimulatedConformanceTests extends PlatformConformanceTests {

	private final SimulatedDriver driver = new SimulatedDriver();

	private final CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));

	@Override
	protected BackendProvider provider() {
		return new CudaBackendProvider(this.platform);
	}

	@Override
	protected TestKernels kernels() {
		return new SimulatedCudaTestKernels(this.driver.context());
	}

}
