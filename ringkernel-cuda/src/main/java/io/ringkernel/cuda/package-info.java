/**
 * The CUDA backend: kernels that stay on the device or are launched on demand. They serve
 * a ring in mapped host memory, or in device memory that a bridge keeps in step. Every
 * call to the driver goes through {@link io.ringkernel.cuda.driver}.
 */
@NullMarked
package io.ringkernel.cuda;

import org.jspecify.annotations.NullMarked;
