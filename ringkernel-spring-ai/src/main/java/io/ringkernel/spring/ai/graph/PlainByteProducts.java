package io.ringkernel.spring.ai.graph;

/**
 * Plain loops, which run on every JVM.
 */
final class PlainByteProducts implements ByteProducts {

	@Override
	public int dotProduct(byte[] some, int someOffset, byte[] others, int otherOffset, int length) {
		int sum = 0;
		for (int i = 0; i < length; i++) {
			sum += some[someOffset + i] * others[otherOffset + i];
		}
		return sum;
	}

	@Override
	public void dotProducts(byte[] some, int someOffset, byte[][] others, int[] otherOffsets, int length,
			int[] products) {
		for (int i = 0; i < AT_ONCE; i++) {
			products[i] = dotProduct(some, someOffset, others[i], otherOffsets[i], length);
		}
	}

}
