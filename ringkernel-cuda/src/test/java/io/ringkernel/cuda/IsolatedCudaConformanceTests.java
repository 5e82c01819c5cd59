package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.BackendConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KeptHost;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The conformance suite on a device that a kernel host uses, persistent and mapped.
 */
@RequiresGpu
@Tag("every-platform")
class IsolatedCudaConformanceTests extends BackendConformanceTests {

	@RegisterExtension
	static final KeptHost HOST = new KeptHost(CudaBackendProvider.isolated(HostOptions.DEFAULTS),
			new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED));

	@Override
	protected BackendProvider provider() {
		return HOST.provider();
	}

	@Override
	protected PlanRequest plan() {
		return HOST.plan();
	}

	@Override
	protected TestKernels kernels() {
		return new CudaTestKernels();
	}

}
