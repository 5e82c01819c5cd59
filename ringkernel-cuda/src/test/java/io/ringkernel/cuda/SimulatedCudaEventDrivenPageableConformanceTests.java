package io.ringkernel.cuda;

import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

/**
 * The conformance suite over kernels that are launched on demand, over copies from and to
 * memory that cannot be pinned, on a simulated device.
 */
@Tag("every-plan")
class SimulatedCudaEventDrivenPageableConformanceTests extends SimulatedConformanceTests {

	SimulatedCudaEventDrivenPageableConformanceTests() {
		context().failRegistrations(
				new CudaException("cuMemHostRegister", new CudaStatus(1, "CUDA_ERROR_INVALID_VALUE")), false);
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED);
	}

}
