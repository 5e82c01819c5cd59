package io.ringkernel.spring.ai.graph;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API, if the JVM has the module {@code jdk.incubator.vector}.
 */
final class VectorByteProducts extends ByteProducts {

	private static final VectorSpecies<Integer> WIDE = (IntVector.SPECIES_PREFERRED.length() >= 16)
			? IntVector.SPECIES_512 : IntVector.SPECIES_256;

	/** As many elements. */
	private static final VectorSpecies<Byte> NARROW = (WIDE.length() == 16) ? ByteVector.SPECIES_128
			: ByteVector.SPECIES_64;

	@Override
	int dotProduct(byte[] some, int someOffset, byte[] others, int otherOffset, int length) {
		IntVector sums = IntVector.zero(WIDE);
		int i = 0;
		for (; i <= length - WIDE.length(); i += WIDE.length()) {
			sums = wide(some, someOffset + i).mul(wide(others, otherOffset + i)).add(sums);
		}
		return sums.reduceLanes(VectorOperators.ADD)
				+ super.dotProduct(some, someOffset + i, others, otherOffset + i, length - i);
	}

	@Override
	void dotProducts(byte[] some, int someOffset, byte[][] others, int[] otherOffsets, int length, int[] products) {
		byte[] a = others[0];
		byte[] b = others[1];
		byte[] c = others[2];
		byte[] d = others[3];
		int aOffset = otherOffsets[0];
		int bOffset = otherOffsets[1];
		int cOffset = otherOffsets[2];
		int dOffset = otherOffsets[3];
		IntVector as = IntVector.zero(WIDE);
		IntVector bs = IntVector.zero(WIDE);
		IntVector cs = IntVector.zero(WIDE);
		IntVector ds = IntVector.zero(WIDE);
		int i = 0;
		for (; i <= length - WIDE.length(); i += WIDE.length()) {
			IntVector factors = wide(some, someOffset + i);
			as = factors.mul(wide(a, aOffset + i)).add(as);
			bs = factors.mul(wide(b, bOffset + i)).add(bs);
			cs = factors.mul(wide(c, cOffset + i)).add(cs);
			ds = factors.mul(wide(d, dOffset + i)).add(ds);
		}
		int left = length - i;
		products[0] = as.reduceLanes(VectorOperators.ADD)
				+ super.dotProduct(some, someOffset + i, a, aOffset + i, left);
		products[1] = bs.reduceLanes(VectorOperators.ADD)
				+ super.dotProduct(some, someOffset + i, b, bOffset + i, left);
		products[2] = cs.reduceLanes(VectorOperators.ADD)
				+ super.dotProduct(some, someOffset + i, c, cOffset + i, left);
		products[3] = ds.reduceLanes(VectorOperators.ADD)
				+ super.dotProduct(some, someOffset + i, d, dOffset + i, left);
	}

	private static IntVector wide(byte[] elements, int offset) {
		return (IntVector) ByteVector.fromArray(NARROW, elements, offset).convertShape(VectorOperators.B2I, WIDE, 0);
	}

}
