package io.ringkernel.maven.example;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/** Needs what a build does not have. */
@RingKernel(id = "licensed")
class Licensed implements RingKernelHandler<Licensed.Number, Licensed.Number> {

	Licensed() {
		throw new IllegalStateException("There is no license.");
	}

	record Number(int value) {
	}

	@Override
	public Number handle(Number request) {
		return request;
	}

}
