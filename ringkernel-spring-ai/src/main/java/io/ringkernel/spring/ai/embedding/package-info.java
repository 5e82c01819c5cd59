/**
 * A Spring AI embedding model whose encoder is a ring kernel.
 */
@NullMarked
package io.ringkernel.spring.ai.embedding;

import org.jspecify.annotations.NullMarked;
