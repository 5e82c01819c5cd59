package io.ringkernel.sample.vectoradd;

import io.ringkernel.Capacity;

/**
 * Two vectors of the same length. It is the message of the kernel and the body of the
 * HTTP request alike.
 *
 * @param a the first vector
 * @param b the second vector
 */
public record VectorAddRequest(@Capacity(MAX_ELEMENTS) float[] a, @Capacity(MAX_ELEMENTS) float[] b) {

	/** The most elements of a vector. */
	public static final int MAX_ELEMENTS = 4096;

}
