package io.ringkernel.spring.ai.graph;

import io.ringkernel.spring.ai.search.VectorApi;

/**
 * Multiplies vectors of bytes, in plain loops, which run on every JVM. Sums of whole
 * numbers are the same if the Vector API computes them.
 */
class ByteProducts {

	/** With how many vectors one is multiplied at once. */
	static final int AT_ONCE = 4;

	/** What this JVM computes most quickly with. */
	static final ByteProducts QUICKEST = VectorApi.quickest(ByteProducts.class, ByteProducts::new,
			"io.ringkernel.spring.ai.graph.VectorByteProducts", 8 * Integer.SIZE);

	/** The dot product of two vectors of at most 16384 elements within arrays. */
	int dotProduct(byte[] some, int someOffset, byte[] others, int otherOffset, int length) {
		int sum = 0;
		for (int i = 0; i < length; i++) {
			sum += some[someOffset + i] * others[otherOffset + i];
		}
		return sum;
	}

	/** The dot products of a vector and {@link #AT_ONCE} others. */
	void dotProducts(byte[] some, int someOffset, byte[][] others, int[] otherOffsets, int length, int[] products) {
		for (int i = 0; i < AT_ONCE; i++) {
			products[i] = dotProduct(some, someOffset, others[i], otherOffsets[i], length);
		}
	}

}
