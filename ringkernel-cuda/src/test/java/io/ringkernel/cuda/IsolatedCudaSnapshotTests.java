package io.ringkernel.cuda;

import java.util.List;

import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * The same on a device that a kernel host uses.
 */
@RequiresGpu
class IsolatedCudaSnapshotTests extends CudaSnapshotTests {

	@Override
	RingKernelRuntime open() {
		return RingKernelRuntime.open(PLAN, List.of(CudaBackendProvider.isolated(HostOptions.DEFAULTS)));
	}

}
