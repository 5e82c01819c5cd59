package com.example;

import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

@RingKernel(id = "histogram", image = "classpath:kernels/histogram.ptx")
class Histogram implements RingKernelHandler<HistogramRequest, HistogramResponse> {

	private final AtomicLong counted = new AtomicLong();

	@Override
	public HistogramResponse handle(HistogramRequest request) {
		int[] counts = new int[256];
		for (byte value : request.values()) {
			counts[Byte.toUnsignedInt(value)]++;
		}
		return new HistogramResponse(counts, this.counted.addAndGet(request.values().length));
	}

}
