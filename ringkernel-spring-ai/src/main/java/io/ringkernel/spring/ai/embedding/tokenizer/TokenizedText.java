package io.ringkernel.spring.ai.embedding.tokenizer;

/**
 * A text as tokens.
 *
 * @param tokens the tokens
 * @param isTruncated whether the text has more
 * @since 0.2.0
 */
public record TokenizedText(int[] tokens, boolean isTruncated) {
}
