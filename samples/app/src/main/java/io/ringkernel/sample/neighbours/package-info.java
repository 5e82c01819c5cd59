/**
 * The kernel with state: vectors that stay where the kernel is, and the search among
 * them.
 */
@NullMarked
package io.ringkernel.sample.neighbours;

import org.jspecify.annotations.NullMarked;
