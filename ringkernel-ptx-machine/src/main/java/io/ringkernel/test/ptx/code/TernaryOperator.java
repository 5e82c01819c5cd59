package io.ringkernel.test.ptx.code;

/**
 * What makes one value of three.
 */
@FunctionalInterface
interface TernaryOperator {

	long apply(long first, long second, long third);

}
