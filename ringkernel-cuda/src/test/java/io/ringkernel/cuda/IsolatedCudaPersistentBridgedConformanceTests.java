package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.BackendConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

/**
 * The conformance suite on a device that a kernel host uses, persistent and bridged.
 */
@RequiresGpu
@Tag("every-platform")
class IsolatedCudaPersistentBridgedConformanceTests extends BackendConformanceTests {

	@Override
	protected BackendProvider provider() {
		return CudaBackendProvider.isolated(HostOptions.DEFAULTS);
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.BRIDGED);
	}

	@Override
	protected TestKernels kernels() {
		return new CudaTestKernels();
	}

}
