/**
 * Ring kernels on CUDA devices.
 */
@NullMarked
package io.ringkernel.cuda;

import org.jspecify.annotations.NullMarked;
