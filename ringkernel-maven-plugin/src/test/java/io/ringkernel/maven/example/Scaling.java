package io.ringkernel.maven.example;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/** Made by a bean method, from what a build does not know. */
class Scaling implements RingKernelHandler<Scaling.Number, Scaling.Number> {

	private final int factor;

	Scaling(int factor) {
		this.factor = factor;
	}

	record Number(int value) {
	}

	@Override
	public Number handle(Number request) {
		return new Number(this.factor * request.value());
	}

	static class Kernels {

		@RingKernel(id = "scaling")
		Scaling scaling() {
			return new Scaling(3);
		}

	}

}
