/**
 * The CUDA driver as the backend sees it: {@link io.ringkernel.cuda.driver.CudaDriver}
 * and {@link io.ringkernel.cuda.driver.CudaContext}, with errors as exceptions and every
 * call bounded in time. The only package that touches JCuda.
 */
@NullMarked
package io.ringkernel.cuda.driver;

import org.jspecify.annotations.NullMarked;
