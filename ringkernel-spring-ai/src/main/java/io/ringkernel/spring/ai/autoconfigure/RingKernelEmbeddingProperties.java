package io.ringkernel.spring.ai.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * The properties of the embedding model.
 *
 * @param location File of the model: ONNX, or safetensors with its config.json beside it.
 * @param tokenizer File of its tokenizer: tokenizer.json, or the vocabulary as text.
 * @param maxTokens Most tokens of a text, from 2 to 512. What is longer is cut off.
 * @since 0.2.0
 */
@ConfigurationProperties(RingKernelEmbeddingProperties.PREFIX)
public record RingKernelEmbeddingProperties(@Nullable Resource location, @Nullable Resource tokenizer,
		@DefaultValue("256") int maxTokens) {

	/** The prefix of the properties. */
	public static final String PREFIX = "spring.ai.embedding.ringkernel";

}
