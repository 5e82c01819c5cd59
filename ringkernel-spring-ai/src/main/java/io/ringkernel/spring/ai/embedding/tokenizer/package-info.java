/**
 * Makes tokens of texts, as BERT has them.
 */
@NullMarked
package io.ringkernel.spring.ai.embedding.tokenizer;

import org.jspecify.annotations.NullMarked;
