/**
 * The kernel that scores card transactions, with what it keeps of each card.
 */
@NullMarked
package io.ringkernel.sample.stream.kernel;

import org.jspecify.annotations.NullMarked;
