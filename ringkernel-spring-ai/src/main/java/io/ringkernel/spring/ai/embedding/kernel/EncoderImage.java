package io.ringkernel.spring.ai.embedding.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

import io.ringkernel.spring.ai.embedding.model.EncoderShape;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import io.ringkernel.spring.ai.search.Half;

/**
 * A model as the kernel on a device holds it, in words: <pre>
 *  0  stamp         of the other words, two words; 0 while the image is being stored
 *  2  vocabulary, tokens of a text at most, layers, epsilon
 * 16  embeddings of the vocabulary, halves
 *     positions with the type of a text, floats; their norm: weights, biases
 *     for each layer:
 *       for each shard: query, key and value of a head: matrix, biases
 *       for each shard: output of the attention: matrix
 *       biases of the output; norm
 *       for each shard: a slice of the inner layer: matrix, biases
 *       for each shard: output of the slice: matrix
 *       biases of the output; norm
 * </pre> A matrix lies in groups of eight columns, and in them in steps of 32 elements,
 * as the lanes of a warp load it: lane {@code l} has the eight halves from element
 * {@code 8 (l % 4)} on of column {@code l / 4}.
 *
 * @since 0.2.0
 */
public final class EncoderImage {

	private static final int HEAD = EncoderShape.HIDDEN / EncoderShape.HEADS;

	private static final int HEADER_WORDS = 16;

	/** Of the type of the state and of what a team knows of each other. */
	private static final int STATE_BYTES = 128;

	private static final int BOARD_BYTES = 384;

	/** Of a chunk, which has three words of those that workers exchange. */
	private static final int CHUNK_BYTES = 16;

	private static final int ALIGNMENT = 128;

	private final int[] words;

	private int end;

	private EncoderImage(EncoderWeights weights, int maxTokens) {
		EncoderShape shape = weights.shape();
		this.words = new int[Math.toIntExact(length(shape, maxTokens))];
		this.end = 2;
		for (int word : new int[] { shape.vocabulary(), maxTokens, shape.layers(),
				Float.floatToIntBits(shape.epsilon()) }) {
			this.words[this.end++] = word;
		}
		this.end = HEADER_WORDS;
		halves(weights.words());
		for (int i = 0; i < maxTokens * shape.hidden(); i++) {
			this.words[this.end++] = Float
				.floatToIntBits(weights.positions()[i] + weights.tokenType()[i % shape.hidden()]);
		}
		norm(weights.norm());
		weights.layers().forEach((layer) -> layer(layer, shape));
		stamp();
	}

	/**
	 * Lays a model out.
	 * @param weights the model
	 * @param maxTokens the most tokens of a text
	 * @return its words
	 */
	public static int[] of(EncoderWeights weights, int maxTokens) {
		return new EncoderImage(weights, maxTokens).words;
	}

	/**
	 * Tells images apart: equal images have equal stamps.
	 * @param image the words of an image
	 * @return its stamp, never 0
	 */
	public static long stamp(int[] image) {
		return (long) image[1] << Integer.SIZE | Integer.toUnsignedLong(image[0]);
	}

	/**
	 * How much memory the state takes: the image, and for each worker what a team
	 * computes in.
	 * @param shape the shape of the model
	 * @param maxTokens the most tokens of a text
	 * @param workers how many workers the kernel has
	 * @return the size in bytes
	 */
	public static long stateBytes(EncoderShape shape, int maxTokens, int workers) {
		long elements = (long) maxTokens * shape.hidden();
		long chunks = elements / 3 * (1 + shape.heads()) + elements / 6;
		long perWorker = BOARD_BYTES + align((long) Integer.BYTES * maxTokens) + CHUNK_BYTES * chunks
				+ Float.BYTES * 3 * elements;
		return STATE_BYTES + align(Integer.BYTES * length(shape, maxTokens)) + workers * align(perWorker);
	}

	private static long align(long bytes) {
		return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}

	private static long length(EncoderShape shape, int maxTokens) {
		long hidden = shape.hidden();
		long layer = 4 * hidden * hidden / 2 + 3 * hidden + 3 * hidden + hidden * shape.intermediate()
				+ shape.intermediate() + 3 * hidden;
		return HEADER_WORDS + shape.vocabulary() * hidden / 2 + maxTokens * hidden + 2 * hidden
				+ shape.layers() * layer;
	}

	private void layer(EncoderWeights.Layer layer, EncoderShape shape) {
		int hidden = shape.hidden();
		List<EncoderWeights.Dense> projections = List.of(layer.query(), layer.key(), layer.value());
		for (int head = 0; head < shape.heads(); head++) {
			int first = head * HEAD;
			projections.forEach((dense) -> matrix(dense.weight(), hidden, first, HEAD, 0, hidden));
			projections.forEach((dense) -> floats(dense.bias(), first, HEAD));
		}
		for (int head = 0; head < shape.heads(); head++) {
			matrix(layer.attentionOutput().weight(), hidden, 0, hidden, head * HEAD, HEAD);
		}
		floats(layer.attentionOutput().bias(), 0, hidden);
		norm(layer.attentionNorm());
		int slice = shape.intermediate() / shape.heads();
		for (int shard = 0; shard < shape.heads(); shard++) {
			matrix(layer.intermediate().weight(), hidden, shard * slice, slice, 0, hidden);
			floats(layer.intermediate().bias(), shard * slice, slice);
		}
		for (int shard = 0; shard < shape.heads(); shard++) {
			matrix(layer.output().weight(), shape.intermediate(), 0, hidden, shard * slice, slice);
		}
		floats(layer.output().bias(), 0, hidden);
		norm(layer.outputNorm());
	}

	/** Lays out a part of a matrix with a row for each column of the product. */
	private void matrix(float[] weights, int width, int firstColumn, int columns, int from, int count) {
		for (int group = firstColumn; group < firstColumn + columns; group += 8) {
			for (int step = from; step < from + count; step += 32) {
				for (int lane = 0; lane < 32; lane++) {
					int at = (group + lane / 4) * width + step + lane % 4 * 8;
					for (int pair = 0; pair < 8; pair += 2) {
						this.words[this.end++] = pair(weights[at + pair], weights[at + pair + 1]);
					}
				}
			}
		}
	}

	private void halves(float[] values) {
		for (int i = 0; i < values.length; i += 2) {
			this.words[this.end++] = pair(values[i], values[i + 1]);
		}
	}

	private static int pair(float low, float high) {
		return Half.bits(low) | Half.bits(high) << Short.SIZE;
	}

	private void floats(float[] values, int from, int count) {
		for (int i = from; i < from + count; i++) {
			this.words[this.end++] = Float.floatToIntBits(values[i]);
		}
	}

	private void norm(EncoderWeights.Norm norm) {
		floats(norm.weight(), 0, norm.weight().length);
		floats(norm.bias(), 0, norm.bias().length);
	}

	/** Two sums that are never both 0. */
	private void stamp() {
		ByteBuffer bytes = ByteBuffer.allocate(EncoderRequest.MAX_WORDS * Integer.BYTES);
		CRC32C sum = new CRC32C();
		for (int from = 2; from < this.words.length; from += EncoderRequest.MAX_WORDS) {
			int count = Math.min(EncoderRequest.MAX_WORDS, this.words.length - from);
			bytes.clear().asIntBuffer().put(this.words, from, count);
			sum.update(bytes.limit(count * Integer.BYTES));
		}
		this.words[0] = (int) sum.getValue();
		this.words[1] = Arrays.hashCode(this.words) | 1;
	}

}
