package io.ringkernel.maven.example;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/** Has an image. Its handler is for the CPU, and need not compile. */
@RingKernel(id = "halving", image = "classpath:kernels/halving.ptx#halving")
class Halving implements RingKernelHandler<Halving.Request, Halving.Response> {

	record Request(@Capacity(64) float[] values) {
	}

	record Response(@Capacity(64) float[] values) {
	}

	@Override
	public Response handle(Request request) {
		float[] halves = request.values().clone();
		for (int i = 0; i < halves.length; i++) {
			halves[i] /= 2;
		}
		return new Response(halves);
	}

}
