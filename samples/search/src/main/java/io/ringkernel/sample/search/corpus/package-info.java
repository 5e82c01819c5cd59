/**
 * What is searched: the nouns of WordNet.
 */
@NullMarked
package io.ringkernel.sample.search.corpus;

import org.jspecify.annotations.NullMarked;
