/**
 * Assertions on ring kernels, in the style of AssertJ. They need no Spring.
 */
@NullMarked
package io.ringkernel.test;

import org.jspecify.annotations.NullMarked;
