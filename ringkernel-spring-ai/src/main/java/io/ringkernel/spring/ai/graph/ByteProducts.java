package io.ringkernel.spring.ai.graph;

import io.ringkernel.spring.ai.search.VectorApi;

/**
 * Multiplies vectors of bytes. Sums of whole numbers are the same, whichever class
 * computes them.
 */
interface ByteProducts {

	/** What this JVM computes most quickly with. */
	ByteProducts QUICKEST = VectorApi.quickest(ByteProducts.class, PlainByteProducts::new,
			"io.ringkernel.spring.ai.graph.VectorByteProducts", 8 * Integer.SIZE);

	/**
	 * The dot product of two vectors within arrays.
	 * @param length their elements; at most 16384
	 */
	int dotProduct(byte[] some, int someOffset, byte[] others, int otherOffset, int length);

}
