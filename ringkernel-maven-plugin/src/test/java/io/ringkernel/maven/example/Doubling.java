package io.ringkernel.maven.example;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

@RingKernel(id = "doubling")
class Doubling implements RingKernelHandler<Doubling.Numbers, Doubling.Numbers> {

	record Numbers(@Capacity(64) int[] values) {
	}

	@Override
	public Numbers handle(Numbers request) {
		int[] doubled = new int[request.values().length];
		Parallel.range(doubled.length, (i) -> doubled[i] = 2 * request.values()[i]);
		return new Numbers(doubled);
	}

}
