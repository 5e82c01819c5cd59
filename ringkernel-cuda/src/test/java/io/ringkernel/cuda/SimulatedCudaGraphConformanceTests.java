package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.BackendConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

/**
 * The conformance suite over kernels that are launched on demand by graphs, on a
 * simulated device.
 */
@Tag("every-plan")
class SimulatedCudaGraphConformanceTests extends BackendConformanceTests {

	private final SimulatedDriver driver = new SimulatedDriver();

	private final CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));

	@Override
	protected BackendProvider provider() {
		return new CudaBackendProvider(this.platform);
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED);
	}

	@Override
	protected TestKernels kernels() {
		return new SimulatedCudaTestKernels(this.driver.context());
	}

}
