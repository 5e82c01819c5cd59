package io.ringkernel.spring.ai.embedding.kernel;

/**
 * The attention of all heads of a layer, with what it computes in. Vaswani et al.,
 * Attention Is All You Need, arXiv 1706.03762.
 */
final class HeapAttention {

	private final MatrixProducts products;

	private final int tokens;

	private final int hidden;

	private final int width;

	/** Of a head: an array for each token. */
	private final float[][] queries;

	/** Of a head: an array for each of its dimensions. */
	private final float[][] keys;

	/** Of a head: an array for each token. */
	private final float[][] values;

	/** For each token what it gives to all, and 0 beyond them. */
	private final float[][] scores;

	private final float[] noBias;

	private final float[][] sums;

	HeapAttention(MatrixProducts products, int tokens, int hidden, int heads) {
		this.products = products;
		this.tokens = tokens;
		this.hidden = hidden;
		this.width = hidden / heads;
		int columns = columns(tokens);
		this.queries = new float[tokens][this.width];
		this.keys = new float[this.width][columns];
		this.values = new float[tokens][columns(this.width)];
		this.scores = new float[tokens][columns];
		this.sums = new float[tokens][columns(this.width)];
		this.noBias = new float[Math.max(columns, columns(this.width))];
	}

	private static int columns(int least) {
		return (least + MatrixProducts.COLUMNS - 1) / MatrixProducts.COLUMNS * MatrixProducts.COLUMNS;
	}

	/** Has each token attend to all, by its projected queries, keys and values. */
	void attend(float[][] projected, float[][] attended) {
		float scale = (float) (1 / Math.sqrt(this.width));
		for (int column = 0; column < this.hidden; column += this.width) {
			for (int token = 0; token < this.tokens; token++) {
				float[] from = projected[token];
				System.arraycopy(from, column, this.queries[token], 0, this.width);
				for (int i = 0; i < this.width; i++) {
					this.keys[i][token] = scale * from[this.hidden + column + i];
				}
				System.arraycopy(from, 2 * this.hidden + column, this.values[token], 0, this.width);
			}
			new HeapMatrix(this.products, this.keys, this.noBias).multiply(this.queries, this.scores);
			for (float[] row : this.scores) {
				Softmax.apply(row, this.tokens);
			}
			new HeapMatrix(this.products, this.values, this.noBias).multiply(this.scores, this.sums);
			for (int token = 0; token < this.tokens; token++) {
				System.arraycopy(this.sums[token], 0, attended[token], column, this.width);
			}
		}
	}

}
