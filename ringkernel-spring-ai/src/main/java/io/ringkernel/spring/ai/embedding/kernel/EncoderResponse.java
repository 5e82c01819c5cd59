package io.ringkernel.spring.ai.embedding.kernel;

import io.ringkernel.Capacity;
import io.ringkernel.spring.ai.embedding.model.EncoderShape;

/**
 * The answer of the kernel.
 *
 * @param outcome what became of the request
 * @param vector the vector of a text, of length 1; empty for what is not encoded
 * @since 0.2.0
 */
public record EncoderResponse(EncoderOutcome outcome, @Capacity(MAX_HIDDEN) float[] vector) {

	/** The most elements of a vector. */
	public static final int MAX_HIDDEN = EncoderShape.HIDDEN;

	static final EncoderResponse LOADED = new EncoderResponse(EncoderOutcome.DONE, new float[0]);

	static final EncoderResponse STALE = new EncoderResponse(EncoderOutcome.STALE, new float[0]);

	/**
	 * The answer with a vector.
	 * @param vector the vector
	 * @return the answer
	 */
	public static EncoderResponse of(float[] vector) {
		return new EncoderResponse(EncoderOutcome.DONE, vector);
	}

}
