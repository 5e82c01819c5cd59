/**
 * The CUDA backend: its provider, the plans that it offers, and the devices of this
 * process. Every call to the driver goes through {@link io.ringkernel.cuda.driver}.
 */
@NullMarked
package io.ringkernel.cuda;

import org.jspecify.annotations.NullMarked;
