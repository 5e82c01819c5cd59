package io.ringkernel.spring.ai.embedding.kernel;

import java.util.stream.Stream;

import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

/**
 * A matrix in the heap, and what is added to its products. It has an array for each
 * element that is multiplied. So the innermost loop reads and writes arrays at one index,
 * which the compiler of the JVM makes vector instructions of: with offsets it would have
 * to know that the arrays are different ones.
 *
 * @param rows the elements
 * @param bias what is added to each column
 */
record HeapMatrix(float[][] rows, float[] bias) {

	/**
	 * Rows that are added at once: as many loads to one store. Measured with 16 rows of
	 * 384 by 1,536 on a core with AVX-512: 83 GFLOP/s with four, 51 with one, and 15 with
	 * eight, which JDK 17 makes no vector instructions of.
	 */
	private static final int AT_ONCE = 4;

	/**
	 * Lays matrices out side by side.
	 * @param layers matrices with a row for each column of the product
	 */
	static HeapMatrix of(EncoderWeights.Dense... layers) {
		int columns = Stream.of(layers).mapToInt((layer) -> layer.bias().length).sum();
		float[][] rows = new float[layers[0].weight().length / layers[0].bias().length][columns];
		float[] bias = new float[columns];
		int first = 0;
		for (EncoderWeights.Dense layer : layers) {
			for (int column = 0; column < layer.bias().length; column++) {
				bias[first + column] = layer.bias()[column];
				for (int row = 0; row < rows.length; row++) {
					rows[row][first + column] = layer.weight()[column * rows.length + row];
				}
			}
			first += layer.bias().length;
		}
		return new HeapMatrix(rows, bias);
	}

	/**
	 * Multiplies.
	 * @param factors rows that are as long as this has rows
	 * @param products takes a row for each
	 */
	void multiply(float[][] factors, float[][] products) {
		for (float[] product : products) {
			System.arraycopy(this.bias, 0, product, 0, product.length);
		}
		// Four rows of the matrix stay in the cache while all products are added to.
		for (int from = 0; from < this.rows.length; from += AT_ONCE) {
			for (int row = 0; row < factors.length; row++) {
				addRows(factors[row], from, products[row]);
			}
		}
	}

	private void addRows(float[] factors, int from, float[] sums) {
		addRows(sums, this.bias.length, factors[from], this.rows[from], factors[from + 1], this.rows[from + 1],
				factors[from + 2], this.rows[from + 2], factors[from + 3], this.rows[from + 3]);
	}

	private static void addRows(float[] sums, int count, float a, float[] as, float b, float[] bs, float c, float[] cs,
			float d, float[] ds) {
		for (int i = 0; i < count; i++) {
			sums[i] += a * as[i] + b * bs[i] + c * cs[i] + d * ds[i];
		}
	}

}
