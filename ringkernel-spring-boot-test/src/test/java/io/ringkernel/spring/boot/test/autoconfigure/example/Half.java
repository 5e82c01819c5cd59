package io.ringkernel.spring.boot.test.autoconfigure.example;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

@RingKernel(id = "half")
public class Half implements RingKernelHandler<Number, Number> {

	@Override
	public Number handle(Number request) {
		return new Number(request.value() / 2);
	}

}
