/**
 * Tests of the kernel.
 */
@NullMarked
package io.ringkernel.sample.stream.kernel;

import org.jspecify.annotations.NullMarked;
