package io.ringkernel.spring.ai.embedding.kernel;

/**
 * Plain loops, which run on every JVM. The matrix has an array for each row. So the
 * innermost loop reads and writes arrays at one index, which the compiler of the JVM
 * makes vector instructions of: with offsets it would have to know that the arrays are
 * different ones.
 */
final class PlainMatrixProducts implements MatrixProducts {

	/**
	 * Rows that are added at once: as many loads to one store. JDK 17 makes no vector
	 * instructions of eight.
	 */
	private static final int AT_ONCE = 4;

	@Override
	public float[][] layOut(float[][] rows) {
		return rows;
	}

	@Override
	public void add(float[][] factors, float[][] matrix, int depth, float[][] sums) {
		int k = 0;
		// Four rows of the matrix stay in the cache while all sums are added to.
		for (; k <= depth - AT_ONCE; k += AT_ONCE) {
			for (int row = 0; row < factors.length; row++) {
				float[] each = factors[row];
				add(sums[row], each[k], matrix[k], each[k + 1], matrix[k + 1], each[k + 2], matrix[k + 2], each[k + 3],
						matrix[k + 3]);
			}
		}
		for (; k < depth; k++) {
			for (int row = 0; row < factors.length; row++) {
				add(sums[row], factors[row][k], matrix[k]);
			}
		}
	}

	private static void add(float[] sums, float a, float[] as, float b, float[] bs, float c, float[] cs, float d,
			float[] ds) {
		for (int i = 0; i < sums.length; i++) {
			sums[i] = sums[i] + a * as[i] + b * bs[i] + c * cs[i] + d * ds[i];
		}
	}

	private static void add(float[] sums, float a, float[] as) {
		for (int i = 0; i < sums.length; i++) {
			sums[i] += a * as[i];
		}
	}

}
