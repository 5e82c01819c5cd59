package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;

/**
 * The kernels of the conformance suite as handlers that are linked with the worker of the
 * library, which was compiled without their messages.
 */
public final class LinkedTestKernels extends CpuTestKernels {

	static <I extends Record, O extends Record> KernelSpec<I, O> linked(KernelSpec<I, O> spec) {
		return CudaTestKernels.withImage(spec, "classpath:kernels/handlers/" + spec.id().replace('-', '_') + ".ptx");
	}

	@Override
	public KernelSpec<Echo, Echo> echo(KernelOptions options) {
		return linked(super.echo(options));
	}

	@Override
	public KernelSpec<VectorAddRequest, VectorAddResponse> vectorAdd(KernelOptions options) {
		return linked(super.vectorAdd(options));
	}

	@Override
	public KernelSpec<Blob, BlobReply> blob(KernelOptions options) {
		return linked(super.blob(options));
	}

	@Override
	public KernelSpec<Slow, Slow> slow(KernelOptions options) {
		return linked(super.slow(options));
	}

	@Override
	public KernelSpec<Failing, Failing> failing(KernelOptions options) {
		return linked(super.failing(options));
	}

	@Override
	public KernelSpec<Counter, Counted> counter(KernelOptions options) {
		return linked(super.counter(options));
	}

	@Override
	public KernelSpec<Blob, BlobReply> sparse(KernelOptions options) {
		return linked(super.sparse(options));
	}

	@Override
	public KernelSpec<Ticks, Quotes> quoting(KernelOptions options) {
		return linked(super.quoting(options));
	}

	@Override
	public KernelSpec<Counter, Counted> ledger(KernelOptions options) {
		return linked(super.ledger(options));
	}

	@Override
	public int reportedCode(int code) {
		return code;
	}

}
