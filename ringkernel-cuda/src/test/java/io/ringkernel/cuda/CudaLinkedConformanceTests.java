package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.BackendConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * The conformance suite on a device, by one worker that was compiled without the messages
 * of any kernel.
 */
@RequiresGpu
class CudaLinkedConformanceTests extends BackendConformanceTests {

	@Override
	protected BackendProvider provider() {
		return new CudaBackendProvider();
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED);
	}

	@Override
	protected TestKernels kernels() {
		return new LinkedTestKernels();
	}

}
