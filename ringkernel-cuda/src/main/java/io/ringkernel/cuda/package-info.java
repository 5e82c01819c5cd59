/**
 * The CUDA backend: a kernel that stays on the device and serves a ring in mapped host
 * memory. Everything that is asked of the driver goes through
 * {@link io.ringkernel.cuda.driver}.
 */
@NullMarked
package io.ringkernel.cuda;

import org.jspecify.annotations.NullMarked;
