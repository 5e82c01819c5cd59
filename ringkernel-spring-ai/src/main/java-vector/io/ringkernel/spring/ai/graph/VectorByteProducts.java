package io.ringkernel.spring.ai.graph;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API, if the JVM has the module {@code jdk.incubator.vector}.
 */
final class VectorByteProducts implements ByteProducts {

	private static final VectorSpecies<Integer> WIDE = (IntVector.SPECIES_PREFERRED.length() >= 16)
			? IntVector.SPECIES_512 : IntVector.SPECIES_256;

	/** As many elements. */
	private static final VectorSpecies<Byte> NARROW = (WIDE.length() == 16) ? ByteVector.SPECIES_128
			: ByteVector.SPECIES_64;

	@Override
	public int dotProduct(byte[] some, int someOffset, byte[] others, int otherOffset, int length) {
		IntVector sums = IntVector.zero(WIDE);
		int i = 0;
		for (; i <= length - WIDE.length(); i += WIDE.length()) {
			sums = wide(some, someOffset + i).mul(wide(others, otherOffset + i)).add(sums);
		}
		int sum = sums.reduceLanes(VectorOperators.ADD);
		for (; i < length; i++) {
			sum += some[someOffset + i] * others[otherOffset + i];
		}
		return sum;
	}

	private static IntVector wide(byte[] elements, int offset) {
		return (IntVector) ByteVector.fromArray(NARROW, elements, offset).convertShape(VectorOperators.B2I, WIDE, 0);
	}

}
