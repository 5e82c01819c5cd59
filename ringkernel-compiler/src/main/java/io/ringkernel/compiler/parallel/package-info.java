/**
 * The calls of {@link io.ringkernel.Parallel}: loops, reductions, atomic operations and
 * locks.
 */
@NullMarked
package io.ringkernel.compiler.parallel;

import org.jspecify.annotations.NullMarked;
