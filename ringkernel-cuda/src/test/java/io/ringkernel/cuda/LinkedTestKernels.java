package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;

/**
 * The kernels of the conformance suite as handlers, without exception: all of them are
 * linked with the worker of the library, which was compiled without their messages.
 */
public final class LinkedTestKernels extends CudaTestKernels {

	@Override
	public KernelSpec<Blob, BlobReply> blob(KernelOptions options) {
		return withImage(super.blob(options));
	}

}
