package io.ringkernel.spring.exchange.scanned;

import java.util.function.Function;

import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.exchange.RingKernelExchange;

/**
 * Found by scanning; a function as well.
 */
@RingKernelExchange("twice")
public interface Doubling extends Function<Number, Number> {

	/**
	 * Not found: not annotated.
	 */
	interface Other {

		Number other(Number number);

	}

}
