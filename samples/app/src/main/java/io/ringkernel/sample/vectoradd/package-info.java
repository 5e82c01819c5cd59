/**
 * The stateless kernel: two vectors in, their sum out.
 */
@NullMarked
package io.ringkernel.sample.vectoradd;

import org.jspecify.annotations.NullMarked;
