package io.ringkernel.sample.vectoradd;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/**
 * Adds two vectors. A device runs what this class is compiled to: there is no other
 * implementation. Stateless, so any number of workers may run it at once.
 */
@RingKernel(id = "vector-add")
class VectorAdd implements RingKernelHandler<VectorAddRequest, VectorAddResponse> {

	@Override
	public VectorAddResponse handle(VectorAddRequest request) {
		float[] sum = new float[request.a().length];
		Parallel.range(sum.length, (i) -> sum[i] = request.a()[i] + request.b()[i]);
		return new VectorAddResponse(sum);
	}

}
