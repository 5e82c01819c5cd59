package io.ringkernel.cuda;

import java.util.List;

import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * The same on a device that a kernel host uses.
 */
@RequiresGpu
class IsolatedCudaCooperativeTests extends CudaCooperativeTests {

	@Override
	RingKernelRuntime open(ExecutionMode mode) {
		return RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, mode, null),
				List.of(CudaBackendProvider.isolated(HostOptions.DEFAULTS)));
	}

}
