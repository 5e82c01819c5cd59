package io.ringkernel.spring.ai.graph;

import io.ringkernel.spring.ai.search.VectorApi;

/**
 * Multiplies vectors of bytes. Sums of whole numbers are the same, whichever class
 * computes them.
 */
interface ByteProducts {

	/** With how many vectors one is multiplied at once. */
	int AT_ONCE = 4;

	/** What this JVM computes most quickly with. */
	ByteProducts QUICKEST = VectorApi.quickest(ByteProducts.class, PlainByteProducts::new,
			"io.ringkernel.spring.ai.graph.VectorByteProducts", 8 * Integer.SIZE);

	/**
	 * The dot product of two vectors within arrays.
	 * @param length their elements; at most 16384
	 */
	int dotProduct(byte[] some, int someOffset, byte[] others, int otherOffset, int length);

	/**
	 * The dot products of a vector and {@link #AT_ONCE} others.
	 * @param length the elements of each; at most 16384
	 * @param products takes the product with each
	 */
	void dotProducts(byte[] some, int someOffset, byte[][] others, int[] otherOffsets, int length, int[] products);

}
