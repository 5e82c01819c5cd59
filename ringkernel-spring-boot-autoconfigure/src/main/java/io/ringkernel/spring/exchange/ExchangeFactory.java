package io.ringkernel.spring.exchange;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Creates the beans of {@link ImportRingKernelExchanges}. The interface is an argument of
 * the bean definition, which ahead-of-time processing can write down.
 */
final class ExchangeFactory {

	private ExchangeFactory() {
	}

	static <T> T create(Class<T> type, ObjectProvider<RingKernelProxyFactory> factory) {
		RingKernelProxyFactory found = factory.getIfAvailable();
		if (found == null) {
			throw new InvalidExchangeException(type.getName(), "is in an application context without ring kernels.",
					"In a test of part of the application, replace the interface with @MockitoBean or add "
							+ "@AutoConfigureRingKernels; elsewhere, add RingKernelAutoConfiguration.");
		}
		return found.create(type);
	}

}
