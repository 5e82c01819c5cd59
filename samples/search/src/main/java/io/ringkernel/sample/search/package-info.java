/**
 * An application that finds words by what they mean.
 */
@NullMarked
package io.ringkernel.sample.search;

import org.jspecify.annotations.NullMarked;
