package com.example;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

@RingKernel(id = "saxpy", image = "classpath:kernels/saxpy.ptx")
class Saxpy implements RingKernelHandler<SaxpyRequest, SaxpyResponse> {

	@Override
	public SaxpyResponse handle(SaxpyRequest request) {
		float[] x = request.x();
		float[] y = request.y();
		if (x.length != y.length) {
			throw new IllegalArgumentException("x has %d elements, y has %d".formatted(x.length, y.length));
		}
		float[] values = new float[x.length];
		for (int i = 0; i < values.length; i++) {
			values[i] = request.a() * x[i] + y[i];
		}
		return new SaxpyResponse(values);
	}

}
