package com.example;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

@RingKernel(id = "saxpy")
class Saxpy implements RingKernelHandler<SaxpyRequest, SaxpyResponse> {

	@Override
	public SaxpyResponse handle(SaxpyRequest request) {
		float[] x = request.x();
		float[] y = request.y();
		if (x.length != y.length) {
			throw new IllegalArgumentException("x has " + x.length + " elements, y has " + y.length);
		}
		float[] values = new float[x.length];
		Parallel.range(values.length, (i) -> values[i] = request.a() * x[i] + y[i]);
		return new SaxpyResponse(values);
	}

}
