/**
 * What can go wrong with a kernel, a message or a request: a class for each, all of them
 * {@link io.ringkernel.exception.RingKernelException}.
 */
@NullMarked
package io.ringkernel.exception;

import org.jspecify.annotations.NullMarked;
