package io.ringkernel.spring.boot.test.autoconfigure.example;

import io.ringkernel.spring.exchange.RingKernelExchange;

@RingKernelExchange("half")
public interface Halving {

	Number half(Number number);

}
