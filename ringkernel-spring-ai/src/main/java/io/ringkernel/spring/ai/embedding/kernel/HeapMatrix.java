package io.ringkernel.spring.ai.embedding.kernel;

import java.util.stream.Stream;

import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

/**
 * A matrix in the heap, and what is added to its products.
 */
final class HeapMatrix {

	private final MatrixProducts products;

	private final float[][] matrix;

	private final int depth;

	private final float[] bias;

	HeapMatrix(MatrixProducts products, float[][] rows, float[] bias) {
		this.products = products;
		this.matrix = products.layOut(rows);
		this.depth = rows.length;
		this.bias = bias;
	}

	/** Lays matrices, with a row for each column of the product, out side by side. */
	static HeapMatrix of(MatrixProducts products, EncoderWeights.Dense... layers) {
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
		return new HeapMatrix(products, rows, bias);
	}

	/** Multiplies rows that are as long as this has rows, or longer. */
	void multiply(float[][] factors, float[][] results) {
		for (float[] result : results) {
			System.arraycopy(this.bias, 0, result, 0, result.length);
		}
		this.products.add(factors, this.matrix, this.depth, results);
	}

}
