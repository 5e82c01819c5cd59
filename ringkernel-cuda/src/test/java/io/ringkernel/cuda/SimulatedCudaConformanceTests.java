package io.ringkernel.cuda;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * The conformance suite over the CUDA backend, whose device is simulated: everything but
 * the driver and the device code.
 */
class SimulatedCudaConformanceTests extends SimulatedConformanceTests {

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED);
	}

}
