package io.ringkernel.maven.example;

import java.util.List;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/** Made by bean methods that name no class of a handler. */
class Scoring {

	record Payment(long cents) {
	}

	record Score(long value) {
	}

	@RingKernel(id = "scoring")
	RingKernelHandler<Payment, Score> scoring() {
		RingKernelHandler<Payment, Payment> doubled = (payment) -> new Payment(2 * payment.cents());
		return doubled.andThen((payment) -> new Score(payment.cents()));
	}

	@RingKernel(id = "one-type")
	Same<List<?>, Score> oneType() {
		return new Same<>() {

			@Override
			public Score handle(Score request) {
				return request;
			}

		};
	}

	abstract static class Same<L, T extends Record> implements RingKernelHandler<T, T> {

	}

}
