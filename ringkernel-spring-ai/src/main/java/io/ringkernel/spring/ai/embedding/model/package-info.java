/**
 * Encoders of texts as they are trained: their shape, their weights, and the files that
 * hold them.
 */
@NullMarked
package io.ringkernel.spring.ai.embedding.model;

import org.jspecify.annotations.NullMarked;
