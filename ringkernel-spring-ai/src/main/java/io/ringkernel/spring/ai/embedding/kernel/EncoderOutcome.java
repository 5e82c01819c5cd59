package io.ringkernel.spring.ai.embedding.kernel;

/**
 * What became of a request.
 *
 * @since 0.2.0
 */
public enum EncoderOutcome {

	/** It was done. */
	DONE,

	/** The kernel does not hold the model, as after the loss of a device. */
	STALE

}
