/**
 * Passes over code that has been made: they bound lengths, share values, join checks,
 * unroll loops and add barriers.
 */
@NullMarked
package io.ringkernel.compiler.pass;

import org.jspecify.annotations.NullMarked;
