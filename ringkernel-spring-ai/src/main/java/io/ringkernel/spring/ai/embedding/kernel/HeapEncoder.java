package io.ringkernel.spring.ai.embedding.kernel;

import java.util.List;

import io.ringkernel.spring.ai.embedding.model.EncoderShape;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

/**
 * A BERT encoder with mean pooling in the heap.
 */
final class HeapEncoder {

	/** A vector of zeros has no direction. */
	private static final double LEAST_LENGTH = 1e-12;

	private final EncoderShape shape;

	private final EncoderWeights weights;

	private final MatrixProducts products;

	private final List<Layer> layers;

	HeapEncoder(EncoderWeights weights, MatrixProducts products) {
		this.shape = weights.shape();
		this.weights = weights;
		this.products = products;
		this.layers = weights.layers().stream().map((layer) -> Layer.of(layer, products)).toList();
	}

	float[] encode(int[] tokens) {
		int hidden = this.shape.hidden();
		float[][] states = embed(tokens);
		float[][] added = new float[tokens.length][hidden];
		float[][] projected = new float[tokens.length][3 * hidden];
		float[][] attended = new float[tokens.length][hidden];
		float[][] inner = new float[tokens.length][this.shape.intermediate()];
		HeapAttention attention = new HeapAttention(this.products, tokens.length, hidden, this.shape.heads());
		for (Layer layer : this.layers) {
			layer.projection().multiply(states, projected);
			attention.attend(projected, attended);
			layer.attentionOutput().multiply(attended, added);
			addAndNormalize(states, added, layer.attentionNorm());
			layer.intermediate().multiply(states, inner);
			for (float[] row : inner) {
				Gelu.apply(row);
			}
			layer.output().multiply(inner, added);
			addAndNormalize(states, added, layer.outputNorm());
		}
		return pool(states);
	}

	private float[][] embed(int[] tokens) {
		int hidden = this.shape.hidden();
		float[][] states = new float[tokens.length][hidden];
		float[][] positions = new float[tokens.length][hidden];
		for (int row = 0; row < tokens.length; row++) {
			for (int i = 0; i < hidden; i++) {
				states[row][i] = this.weights.words()[tokens[row] * hidden + i];
				positions[row][i] = this.weights.positions()[row * hidden + i] + this.weights.tokenType()[i];
			}
		}
		addAndNormalize(states, positions, this.weights.norm());
		return states;
	}

	/** Ba, Kiros and Hinton, Layer Normalization, arXiv 1607.06450. */
	private void addAndNormalize(float[][] states, float[][] added, EncoderWeights.Norm norm) {
		for (int row = 0; row < states.length; row++) {
			float[] state = states[row];
			for (int i = 0; i < state.length; i++) {
				state[i] += added[row][i];
			}
			float mean = sum(state) / state.length;
			float variance = squares(state, mean) / state.length;
			float scale = (float) (1 / Math.sqrt(variance + this.shape.epsilon()));
			for (int i = 0; i < state.length; i++) {
				state[i] = (state[i] - mean) * scale * norm.weight()[i] + norm.bias()[i];
			}
		}
	}

	/** In four parts: an addition waits for the one before it. */
	private static float sum(float[] row) {
		float a = 0;
		float b = 0;
		float c = 0;
		float d = 0;
		for (int i = 0; i < row.length; i += 4) {
			a += row[i];
			b += row[i + 1];
			c += row[i + 2];
			d += row[i + 3];
		}
		return (a + b) + (c + d);
	}

	/** The same of the squares of what elements differ by. */
	private static float squares(float[] row, float mean) {
		float a = 0;
		float b = 0;
		float c = 0;
		float d = 0;
		for (int i = 0; i < row.length; i += 4) {
			a += (row[i] - mean) * (row[i] - mean);
			b += (row[i + 1] - mean) * (row[i + 1] - mean);
			c += (row[i + 2] - mean) * (row[i + 2] - mean);
			d += (row[i + 3] - mean) * (row[i + 3] - mean);
		}
		return (a + b) + (c + d);
	}

	/** The mean of all rows, with a length of 1. */
	private float[] pool(float[][] states) {
		float[] mean = new float[this.shape.hidden()];
		double squares = 0;
		for (int i = 0; i < mean.length; i++) {
			float sum = 0;
			for (float[] state : states) {
				sum += state[i];
			}
			mean[i] = sum / states.length;
			squares += mean[i] * mean[i];
		}
		float length = (float) Math.max(Math.sqrt(squares), LEAST_LENGTH);
		for (int i = 0; i < mean.length; i++) {
			mean[i] /= length;
		}
		return mean;
	}

	private record Layer(HeapMatrix projection, HeapMatrix attentionOutput, EncoderWeights.Norm attentionNorm,
			HeapMatrix intermediate, HeapMatrix output, EncoderWeights.Norm outputNorm) {

		static Layer of(EncoderWeights.Layer layer, MatrixProducts products) {
			return new Layer(HeapMatrix.of(products, layer.query(), layer.key(), layer.value()),
					HeapMatrix.of(products, layer.attentionOutput()), layer.attentionNorm(),
					HeapMatrix.of(products, layer.intermediate()), HeapMatrix.of(products, layer.output()),
					layer.outputNorm());
		}

	}

}
