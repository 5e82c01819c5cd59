package io.ringkernel.cuda;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

/**
 * The conformance suite over kernels that are launched on demand, over copies from and to
 * pinned memory, on a simulated device.
 */
@Tag("every-platform")
class SimulatedCudaEventDrivenBridgedConformanceTests extends SimulatedConformanceTests {

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED);
	}

}
