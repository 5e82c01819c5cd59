package io.ringkernel.spring.ai.embedding.model;

/**
 * x.
 *
 * @param vocabulary x
 * @param positions x
 * @param hidden x
 * @param heads x
 * @param layers x
 * @param intermediate x
 * @param epsilon x
 */
public record EncoderShape(int vocabulary, int positions, int hidden, int heads, int layers, int intermediate,
		float epsilon) {
}
