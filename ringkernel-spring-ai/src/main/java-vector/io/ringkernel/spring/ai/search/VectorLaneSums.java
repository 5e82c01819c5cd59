package io.ringkernel.spring.ai.search;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API, if the JVM has the module {@code jdk.incubator.vector}.
 */
final class VectorLaneSums extends LaneSums {

	private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_256;

	@Override
	float dotProduct(float[] all, int offset, float[] vector) {
		FloatVector sums = FloatVector.zero(SPECIES);
		int i = 0;
		for (; i <= vector.length - LANES; i += LANES) {
			sums = FloatVector.fromArray(SPECIES, all, offset + i)
				.mul(FloatVector.fromArray(SPECIES, vector, i))
				.add(sums);
		}
		float first = sums.lane(0);
		for (; i < vector.length; i++) {
			first += all[offset + i] * vector[i];
		}
		return sum(first, sums);
	}

	@Override
	float squaredDistance(float[] all, int offset, float[] vector) {
		FloatVector sums = FloatVector.zero(SPECIES);
		int i = 0;
		for (; i <= vector.length - LANES; i += LANES) {
			FloatVector difference = FloatVector.fromArray(SPECIES, all, offset + i)
				.sub(FloatVector.fromArray(SPECIES, vector, i));
			sums = difference.mul(difference).add(sums);
		}
		float first = sums.lane(0);
		for (; i < vector.length; i++) {
			float difference = all[offset + i] - vector[i];
			first += difference * difference;
		}
		return sum(first, sums);
	}

	private static float sum(float first, FloatVector sums) {
		return ((first + sums.lane(1)) + (sums.lane(2) + sums.lane(3)))
				+ ((sums.lane(4) + sums.lane(5)) + (sums.lane(6) + sums.lane(7)));
	}

}
