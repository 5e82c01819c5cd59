package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;

/**
 * The kernels of the conformance suite as CUDA images. They are handlers, which the
 * library links with its worker, but for one that nvcc has compiled with its worker.
 */
public class CudaTestKernels extends CpuTestKernels {

	/** The image that has a worker of its own, and an entry of its own name. */
	static final String WHOLE_IMAGE = "classpath:kernels/blob.ptx";

	static <I extends Record, O extends Record> KernelSpec<I, O> withImage(KernelSpec<I, O> spec) {
		return withImage(spec, "classpath:kernels/handlers/" + spec.id().replace('-', '_') + ".ptx");
	}

	static <I extends Record, O extends Record> KernelSpec<I, O> withImage(KernelSpec<I, O> spec, String image) {
		return new KernelSpec<>(spec.id(), spec.requests(), spec.responses(), spec.handler(), image, spec.options());
	}

	/**
	 * The same kernel by another id.
	 */
	static <I extends Record, O extends Record> KernelSpec<I, O> renamed(String id, KernelSpec<I, O> spec) {
		return new KernelSpec<>(id, spec.requests(), spec.responses(), spec.handler(), spec.image(), spec.options());
	}

	@Override
	public KernelSpec<Echo, Echo> echo(KernelOptions options) {
		return withImage(super.echo(options));
	}

	@Override
	public KernelSpec<VectorAddRequest, VectorAddResponse> vectorAdd(KernelOptions options) {
		return withImage(super.vectorAdd(options));
	}

	@Override
	public KernelSpec<Blob, BlobReply> blob(KernelOptions options) {
		return withImage(super.blob(options), WHOLE_IMAGE);
	}

	@Override
	public KernelSpec<Slow, Slow> slow(KernelOptions options) {
		return withImage(super.slow(options));
	}

	@Override
	public KernelSpec<Failing, Failing> failing(KernelOptions options) {
		return withImage(super.failing(options));
	}

	@Override
	public KernelSpec<Counter, Counted> counter(KernelOptions options) {
		return withImage(super.counter(options));
	}

	@Override
	public KernelSpec<Blob, BlobReply> sparse(KernelOptions options) {
		return withImage(super.sparse(options));
	}

	@Override
	public KernelSpec<Ticks, Quotes> quoting(KernelOptions options) {
		return withImage(super.quoting(options));
	}

	@Override
	public KernelSpec<Counter, Counted> ledger(KernelOptions options) {
		return withImage(super.ledger(options));
	}

	@Override
	public int reportedCode(int code) {
		return code;
	}

}
