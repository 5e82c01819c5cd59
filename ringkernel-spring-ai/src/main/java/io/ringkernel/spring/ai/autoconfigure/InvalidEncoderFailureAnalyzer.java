package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.spring.ai.embedding.model.InvalidEncoderException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what to change if the files of the embedding model are none that the kernel takes.
 */
final class InvalidEncoderFailureAnalyzer extends AbstractFailureAnalyzer<InvalidEncoderException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidEncoderException cause) {
		return new FailureAnalysis(cause.getMessage(), "Set '%1$s.location' and '%1$s.tokenizer' to other files."
			.formatted(RingKernelEmbeddingProperties.PREFIX), cause);
	}

}
