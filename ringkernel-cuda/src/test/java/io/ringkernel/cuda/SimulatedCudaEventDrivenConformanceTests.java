package io.ringkernel.cuda;

import io.ringkernel.cuda.simulated.SimulatedPlatform;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

/**
 * The conformance suite over kernels that are launched on demand, each time with all that
 * they are launched with, on a simulated device.
 */
@Tag("every-platform")
class SimulatedCudaEventDrivenConformanceTests extends SimulatedConformanceTests {

	SimulatedCudaEventDrivenConformanceTests() {
		context().platform(SimulatedPlatform.LINUX.withoutGraphs());
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED);
	}

}
