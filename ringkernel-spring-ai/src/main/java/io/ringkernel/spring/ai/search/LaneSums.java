package io.ringkernel.spring.ai.search;

/**
 * Sums over two vectors, which the CPU compares them by. Element {@code i} is added to
 * sum {@code i % 8}, because one sum would make every addition wait for the one before
 * it; what is left behind the last eight elements is added to the first sum. The sums are
 * then added in pairs. No product is fused with an addition. So the result is the same to
 * the bit, whichever class computes it.
 */
interface LaneSums {

	/** How many sums there are. */
	int LANES = 8;

	/** What this JVM computes most quickly with. */
	LaneSums QUICKEST = VectorApi.quickest(LaneSums.class, PlainLaneSums::new,
			"io.ringkernel.spring.ai.search.VectorLaneSums", LANES * Float.SIZE);

	/** The dot product of a vector and one within an array. */
	float dotProduct(float[] all, int offset, float[] vector);

	/** The squared Euclidean distance of a vector from one within an array. */
	float squaredDistance(float[] all, int offset, float[] vector);

}
