/**
 * The kernel that encodes texts: its messages, what it holds of a model, and the same
 * computation on the CPU.
 */
@NullMarked
package io.ringkernel.spring.ai.embedding.kernel;

import org.jspecify.annotations.NullMarked;
