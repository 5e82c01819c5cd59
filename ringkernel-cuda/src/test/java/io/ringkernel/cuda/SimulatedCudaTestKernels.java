package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.cuda.simulated.SimulatedContext;

/**
 * The kernels of the conformance suite on a simulated device.
 */
final class SimulatedCudaTestKernels extends CpuTestKernels {

	private final SimulatedContext context;

	SimulatedCudaTestKernels(SimulatedContext context) {
		this.context = context;
	}

	@Override
	public KernelSpec<Echo, Echo> echo(KernelOptions options) {
		return this.context.install(super.echo(options));
	}

	@Override
	public KernelSpec<VectorAddRequest, VectorAddResponse> vectorAdd(KernelOptions options) {
		return this.context.install(super.vectorAdd(options));
	}

	@Override
	public KernelSpec<Blob, BlobReply> blob(KernelOptions options) {
		return this.context.install(super.blob(options));
	}

	@Override
	public KernelSpec<Slow, Slow> slow(KernelOptions options) {
		return this.context.install(super.slow(options));
	}

	@Override
	public KernelSpec<Failing, Failing> failing(KernelOptions options) {
		return this.context.install(super.failing(options));
	}

	@Override
	public KernelSpec<Counter, Counted> counter(KernelOptions options) {
		return this.context.install(super.counter(options));
	}

	@Override
	public KernelSpec<Blob, BlobReply> sparse(KernelOptions options) {
		return this.context.install(super.sparse(options));
	}

	@Override
	public KernelSpec<Ticks, Quotes> quoting(KernelOptions options) {
		return this.context.install(super.quoting(options));
	}

	@Override
	public KernelSpec<Counter, Counted> ledger(KernelOptions options) {
		return this.context.install(super.ledger(options));
	}

}
