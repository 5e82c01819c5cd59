/**
 * Fills the vector store from the corpus, and keeps the same vectors for a plain loop.
 */
@NullMarked
package io.ringkernel.sample.search.index;

import org.jspecify.annotations.NullMarked;
