package io.ringkernel.spring.ai.embedding.kernel;

import io.ringkernel.spring.ai.search.VectorApi;

/**
 * Products of rows with a matrix, whose columns are a multiple of {@value #COLUMNS}. The
 * products of a row's elements are added one after the other, the first one first, and
 * none is fused with an addition. So the sums are the same to the bit, whichever class
 * computes them.
 */
interface MatrixProducts {

	/** What the number of columns is a multiple of. */
	int COLUMNS = 64;

	/** What this JVM computes most quickly with. */
	MatrixProducts QUICKEST = VectorApi.quickest(MatrixProducts.class, PlainMatrixProducts::new,
			"io.ringkernel.spring.ai.embedding.kernel.VectorMatrixProducts");

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
