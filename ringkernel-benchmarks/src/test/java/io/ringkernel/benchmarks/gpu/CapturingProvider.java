package io.ringkernel.benchmarks.gpu;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.loop.CudaLoop;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * The CUDA backend, and the kernel that it loaded last.
 */
final class CapturingProvider implements BackendProvider {

	private final CudaBackendProvider provider = new CudaBackendProvider();

	private volatile LoadedKernel kernel;

	LoadedKernel kernel() {
		return this.kernel;
	}

	@Override
	public BackendKind kind() {
		return this.provider.kind();
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return this.provider.plan(request);
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new ForwardingBackend(this.provider.open(plan)) {

			@Override
			public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> spec, KernelRegion region) {
				DeviceLoop loop = super.load(spec, region);
				CapturingProvider.this.kernel = ((CudaLoop) loop).kernel();
				return loop;
			}

		};
	}

}
