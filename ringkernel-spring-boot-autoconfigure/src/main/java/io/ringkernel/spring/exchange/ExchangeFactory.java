package io.ringkernel.spring.exchange;

/**
 * Creates the beans of {@link ImportRingKernelExchanges}. The interface is an argument of
 * the bean definition, which ahead-of-time processing can write down.
 */
final class ExchangeFactory {

	private ExchangeFactory() {
	}

	static <T> T create(Class<T> type, RingKernelProxyFactory factory) {
		return factory.create(type);
	}

}
