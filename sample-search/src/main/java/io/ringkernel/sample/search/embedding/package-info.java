/**
 * The model that makes vectors of text, on the CPU, out of a jar.
 */
@NullMarked
package io.ringkernel.sample.search.embedding;

import org.jspecify.annotations.NullMarked;
