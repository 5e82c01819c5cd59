package io.ringkernel.maven.example;

import java.util.HashMap;
import java.util.Map;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

/** Keeps what a device cannot keep. */
@RingKernel(id = "caching")
class Caching implements RingKernelHandler<Caching.Number, Caching.Number> {

	private final Map<Integer, Integer> squares = new HashMap<>();

	record Number(int value) {
	}

	@Override
	public Number handle(Number request) {
		return new Number(this.squares.computeIfAbsent(request.value(), (value) -> value * value));
	}

}
