/**
 * Kernels: their definition, lifecycle, planning and events.
 */
@NullMarked
package io.ringkernel.runtime;

import org.jspecify.annotations.NullMarked;
