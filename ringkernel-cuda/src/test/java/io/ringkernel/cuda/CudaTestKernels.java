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
	protected <I extends Record, O extends Record> KernelSpec<I, O> installed(KernelSpec<I, O> spec) {
		return withImage(spec);
	}

	@Override
	public KernelSpec<Blob, BlobReply> blob(KernelOptions options) {
		return withImage(super.blob(options), WHOLE_IMAGE);
	}

	@Override
	public int reportedCode(int code) {
		return code;
	}

}
