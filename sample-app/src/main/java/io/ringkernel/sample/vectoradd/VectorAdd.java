package io.ringkernel.sample.vectoradd;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/**
 * Adds two vectors. Stateless, so any number of workers may run it at once.
 */
@RingKernel(id = "vector-add", image = "classpath:kernels/vector_add.ptx")
class VectorAdd implements RingKernelHandler<VectorAddRequest, VectorAddResponse> {

	@Override
	public VectorAddResponse handle(VectorAddRequest request) {
		float[] a = request.a();
		float[] b = request.b();
		float[] sum = new float[a.length];
		for (int i = 0; i < sum.length; i++) {
			sum[i] = a[i] + b[i];
		}
		return new VectorAddResponse(sum);
	}

}
