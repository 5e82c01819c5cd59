package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.spring.exchange.RingKernelProxyFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Checks that every interface that is imported as a client of ring kernels can call them.
 */
final class ExchangesCheck implements SmartInitializingSingleton {

	private final RingKernelProxyFactory factory;

	ExchangesCheck(RingKernelProxyFactory factory) {
		this.factory = factory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.factory.createImported();
	}

}
