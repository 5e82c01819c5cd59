package io.ringkernel.spring.boot.test.autoconfigure.example;

import io.ringkernel.spring.exchange.RingKernelExchange;

@RingKernelExchange("twice")
public interface Doubling {

	Number twice(Number number);

}
