package io.ringkernel.spring.ai.embedding.kernel;

import io.ringkernel.spring.ai.search.VectorApi;

/**
 * Products of rows with a matrix, whose columns are a multiple of {@value #COLUMNS}. The
 * products of a row's elements are added one after the other, the first one first. The
 * Vector API fuses each with its addition, which takes a sixth less time. Plain loops do
 * not, as {@link Math#fma} computes with decimals on a processor that has no instruction
 * for it. So the vectors of both differ in their last digits.
 * <p>
 * In plain loops, which run on every JVM, the matrix has an array for each row. So the
 * innermost loop reads and writes arrays at one index, which the compiler of the JVM
 * makes vector instructions of: with offsets it would have to know that the arrays are
 * different ones.
 */
class MatrixProducts {

	/** What the number of columns is a multiple of. */
	static final int COLUMNS = 64;

	/**
	 * What this JVM computes most quickly with. Only processors with registers of 512
	 * bits have the 32 of them that the sums of the Vector API take: with 16 registers of
	 * 256 bits, plain loops are quicker.
	 */
	static final MatrixProducts QUICKEST = VectorApi.quickest(MatrixProducts.class, MatrixProducts::new,
			"io.ringkernel.spring.ai.embedding.kernel.VectorMatrixProducts", 512);

	/** As many loads to one store. JDK 17 makes no vector instructions of eight. */
	private static final int AT_ONCE = 4;

	/** Lays a matrix out for {@link #add}. It may become part of what is returned. */
	float[][] layOut(float[][] rows) {
		return rows;
	}

	/**
	 * Adds the products with a matrix.
	 * @param factors the rows
	 * @param matrix the matrix, laid out
	 * @param depth how many rows it has, and how many elements of each row are multiplied
	 * @param sums a row for each that is multiplied, with an element for each column
	 */
	void add(float[][] factors, float[][] matrix, int depth, float[][] sums) {
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
