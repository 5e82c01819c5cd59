package io.ringkernel.spring.exchange;

/**
 * An interface that {@link ImportRingKernelExchanges} made a bean. The bean is lazy: a
 * test of part of an application imports its interfaces, but need not have their kernels.
 */
record ExchangeDeclaration(Class<?> type) {

}
