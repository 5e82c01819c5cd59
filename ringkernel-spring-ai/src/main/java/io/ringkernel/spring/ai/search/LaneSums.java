package io.ringkernel.spring.ai.search;

/**
 * Sums over two vectors, which the CPU compares them by. Element {@code i} is added to
 * sum {@code i % 8}, because one sum would make every addition wait for the one before
 * it; what is left behind the last eight elements is added to the first sum. The sums are
 * then added in pairs. No product is fused with an addition. So plain loops, which run on
 * every JVM, compute the same to the bit as the class that uses the Vector API.
 */
class LaneSums {

	static final int LANES = 8;

	/** What this JVM computes most quickly with. */
	static final LaneSums QUICKEST = VectorApi.quickest(LaneSums.class, LaneSums::new,
			"io.ringkernel.spring.ai.search.VectorLaneSums", LANES * Float.SIZE);

	/** The dot product of a vector and one within an array. */
	float dotProduct(float[] all, int offset, float[] vector) {
		float s0 = 0;
		float s1 = 0;
		float s2 = 0;
		float s3 = 0;
		float s4 = 0;
		float s5 = 0;
		float s6 = 0;
		float s7 = 0;
		int i = 0;
		for (; i <= vector.length - LANES; i += LANES) {
			s0 += all[offset + i] * vector[i];
			s1 += all[offset + i + 1] * vector[i + 1];
			s2 += all[offset + i + 2] * vector[i + 2];
			s3 += all[offset + i + 3] * vector[i + 3];
			s4 += all[offset + i + 4] * vector[i + 4];
			s5 += all[offset + i + 5] * vector[i + 5];
			s6 += all[offset + i + 6] * vector[i + 6];
			s7 += all[offset + i + 7] * vector[i + 7];
		}
		for (; i < vector.length; i++) {
			s0 += all[offset + i] * vector[i];
		}
		return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
	}

	/** The squared Euclidean distance of a vector from one within an array. */
	float squaredDistance(float[] all, int offset, float[] vector) {
		float s0 = 0;
		float s1 = 0;
		float s2 = 0;
		float s3 = 0;
		float s4 = 0;
		float s5 = 0;
		float s6 = 0;
		float s7 = 0;
		int i = 0;
		for (; i <= vector.length - LANES; i += LANES) {
			s0 += square(all[offset + i] - vector[i]);
			s1 += square(all[offset + i + 1] - vector[i + 1]);
			s2 += square(all[offset + i + 2] - vector[i + 2]);
			s3 += square(all[offset + i + 3] - vector[i + 3]);
			s4 += square(all[offset + i + 4] - vector[i + 4]);
			s5 += square(all[offset + i + 5] - vector[i + 5]);
			s6 += square(all[offset + i + 6] - vector[i + 6]);
			s7 += square(all[offset + i + 7] - vector[i + 7]);
		}
		for (; i < vector.length; i++) {
			s0 += square(all[offset + i] - vector[i]);
		}
		return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
	}

	private static float square(float difference) {
		return difference * difference;
	}

}
