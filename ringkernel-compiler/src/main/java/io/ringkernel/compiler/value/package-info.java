/**
 * Values as the code has them: the shapes by which they are known, and what single
 * instructions make of numbers.
 */
@NullMarked
package io.ringkernel.compiler.value;

import org.jspecify.annotations.NullMarked;
