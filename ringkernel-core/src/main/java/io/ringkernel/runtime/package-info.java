/**
 * Kernels and their lifecycle: launch and termination, the client, the delivery of
 * responses, the supervision of what runs.
 */
@NullMarked
package io.ringkernel.runtime;

import org.jspecify.annotations.NullMarked;
