package io.ringkernel.spring.ai.embedding.model;

import java.util.List;

/**
 * x.
 *
 * @param shape x
 * @param words x
 * @param positions x
 * @param tokenType x
 * @param norm x
 * @param layers x
 */
public record EncoderWeights(EncoderShape shape, float[] words, float[] positions, float[] tokenType, Norm norm,
		List<Layer> layers) {
	/**
	 * x.
	 *
	 * @param weight x
	 * @param bias x
	 */
	public record Norm(float[] weight, float[] bias) {
	}

	/**
	 * x.
	 *
	 * @param weight x
	 * @param bias x
	 */
	public record Dense(float[] weight, float[] bias) {
	}

	/**
	 * x.
	 *
	 * @param query x
	 * @param key x
	 * @param value x
	 * @param attentionOutput x
	 * @param attentionNorm x
	 * @param intermediate x
	 * @param output x
	 * @param outputNorm x
	 */
	public record Layer(Dense query, Dense key, Dense value, Dense attentionOutput, Norm attentionNorm,
			Dense intermediate, Dense output, Norm outputNorm) {
	}
}
