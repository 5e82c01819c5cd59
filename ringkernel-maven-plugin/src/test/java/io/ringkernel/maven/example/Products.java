package io.ringkernel.maven.example;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

class Products {

	record Factor(int value) {
	}

	record Product(int value) {
	}

	abstract static class Computation<O extends Record, I extends Record> implements RingKernelHandler<I, O> {

	}

	/** Has its records from a class that is generic. */
	@RingKernel(id = "tripling")
	static class Tripling extends Computation<Product, Factor> {

		@Override
		public Product handle(Factor request) {
			return new Product(3 * request.value());
		}

	}

}
