/**
 * The CUDA backend: kernels that stay on the device or are launched on demand, and serve
 * a ring in host memory that is mapped, or in device memory that a bridge keeps in step.
 * Everything that is asked of the driver goes through {@link io.ringkernel.cuda.driver}.
 */
@NullMarked
package io.ringkernel.cuda;

import org.jspecify.annotations.NullMarked;
