package io.ringkernel.spring.ai.embedding.kernel;

/**
 * What a request to the kernel asks for.
 *
 * @since 0.2.0
 */
public enum EncoderOperation {

	/** Encodes the tokens of a text. */
	ENCODE,

	/** Stores words of a model's image. */
	LOAD

}
