/**
 * Answers of a chat model, found again by the meaning of the question.
 */
@NullMarked
package io.ringkernel.spring.ai.cache;

import org.jspecify.annotations.NullMarked;
