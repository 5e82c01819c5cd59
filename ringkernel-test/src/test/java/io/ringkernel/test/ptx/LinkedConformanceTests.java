package io.ringkernel.test.ptx;

import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.LinkedTestKernels;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

/**
 * The conformance suite over handlers that the library links with its worker, launched on
 * demand.
 */
@Tag("every-platform")
class LinkedConformanceTests extends PtxMachineConformanceTests {

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED);
	}

	@Override
	protected TestKernels kernels() {
		return new LinkedTestKernels();
	}

}
