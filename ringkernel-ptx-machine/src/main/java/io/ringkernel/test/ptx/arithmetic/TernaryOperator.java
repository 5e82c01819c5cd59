package io.ringkernel.test.ptx.arithmetic;

/**
 * What makes one value of three.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface TernaryOperator {

	long apply(long first, long second, long third);

}
