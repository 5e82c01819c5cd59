package com.example;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

@RingKernel(id = "standardize", image = "classpath:kernels/standardize.ptx")
class Standardize implements RingKernelHandler<StandardizeRequest, StandardizeResponse> {

	@Override
	public StandardizeResponse handle(StandardizeRequest request) {
		float[] values = request.values();
		if (values.length == 0) {
			throw new IllegalArgumentException("There are no values");
		}
		double sum = 0;
		for (float value : values) {
			sum += value;
		}
		double mean = sum / values.length;
		double squares = 0;
		for (float value : values) {
			squares += (value - mean) * (value - mean);
		}
		double deviation = Math.sqrt(squares / values.length);
		float[] scores = new float[values.length];
		for (int i = 0; i < scores.length; i++) {
			scores[i] = (float) ((values[i] - mean) / deviation);
		}
		return new StandardizeResponse((float) mean, (float) deviation, scores);
	}

}
