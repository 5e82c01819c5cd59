package io.ringkernel.spring.ai.embedding.kernel;

import io.ringkernel.spring.ai.search.VectorApi;

/**
 * Products of rows with a matrix, whose columns are a multiple of {@value #COLUMNS}. The
 * products of a row's elements are added one after the other, the first one first. The
 * Vector API fuses each with its addition, which takes a sixth less time. Plain loops do
 * not, as {@link Math#fma} computes with decimals on a processor that has no instruction
 * for it. So the vectors of both differ in their last digits.
 */
interface MatrixProducts {

	/** What the number of columns is a multiple of. */
	int COLUMNS = 64;

	/**
	 * What this JVM computes most quickly with. Only processors with registers of 512
	 * bits have the 32 of them that the sums of the Vector API take: with 16 registers of
	 * 256 bits, plain loops are quicker.
	 */
	MatrixProducts QUICKEST = VectorApi.quickest(MatrixProducts.class, PlainMatrixProducts::new,
			"io.ringkernel.spring.ai.embedding.kernel.VectorMatrixProducts", 512);

	/**
	 * Lays a matrix out for {@link #add}.
	 * @param rows the matrix; it may become part of what is returned
	 */
	float[][] layOut(float[][] rows);

	/**
	 * Adds the products with a matrix.
	 * @param factors the rows
	 * @param matrix the matrix, laid out
	 * @param depth how many rows it has, and how many elements of each row are multiplied
	 * @param sums a row for each that is multiplied, with an element for each column
	 */
	void add(float[][] factors, float[][] matrix, int depth, float[][] sums);

}
