package io.ringkernel.spring.ai.embedding.kernel;

import java.util.Arrays;

/**
 * The attention of all heads of a layer, with what it computes in. Vaswani et al.,
 * Attention Is All You Need, arXiv 1706.03762.
 */
final class HeapAttention {

	private final int tokens;

	private final int hidden;

	private final int width;

	/** Of a head: an array for each of its dimensions. */
	private final float[][] keys;

	/** Of a head: an array for each token. */
	private final float[][] values;

	private final float[] scores;

	private final float[] sum;

	HeapAttention(int tokens, int hidden, int heads) {
		this.tokens = tokens;
		this.hidden = hidden;
		this.width = hidden / heads;
		this.keys = new float[this.width][tokens];
		this.values = new float[tokens][this.width];
		this.scores = new float[tokens];
		this.sum = new float[this.width];
	}

	/**
	 * Has each token attend to all.
	 * @param projected for each token its queries, keys and values
	 * @param attended takes a row for each token
	 */
	void attend(float[][] projected, float[][] attended) {
		float scale = (float) (1 / Math.sqrt(this.width));
		for (int column = 0; column < this.hidden; column += this.width) {
			for (int token = 0; token < this.tokens; token++) {
				for (int i = 0; i < this.width; i++) {
					this.keys[i][token] = scale * projected[token][this.hidden + column + i];
				}
				System.arraycopy(projected[token], 2 * this.hidden + column, this.values[token], 0, this.width);
			}
			for (int token = 0; token < this.tokens; token++) {
				weigh(projected[token], column);
				Arrays.fill(this.sum, 0);
				for (int other = 0; other < this.tokens; other++) {
					addScaled(this.sum, this.values[other], this.scores[other]);
				}
				System.arraycopy(this.sum, 0, attended[token], column, this.width);
			}
		}
	}

	/** Weighs all tokens for a query; the weights have a sum of 1. */
	private void weigh(float[] projected, int query) {
		Arrays.fill(this.scores, 0);
		for (int i = 0; i < this.width; i++) {
			addScaled(this.scores, this.keys[i], projected[query + i]);
		}
		float greatest = Float.NEGATIVE_INFINITY;
		for (float score : this.scores) {
			greatest = Math.max(greatest, score);
		}
		float total = 0;
		for (int i = 0; i < this.tokens; i++) {
			this.scores[i] = (float) Math.exp(this.scores[i] - greatest);
			total += this.scores[i];
		}
		for (int i = 0; i < this.tokens; i++) {
			this.scores[i] /= total;
		}
	}

	private static void addScaled(float[] sums, float[] values, float scale) {
		for (int i = 0; i < sums.length; i++) {
			sums[i] += values[i] * scale;
		}
	}

}
