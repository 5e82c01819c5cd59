/**
 * A device without a GPU: {@link io.ringkernel.test.ptx.PtxMachine} runs the PTX of
 * kernels on Java threads, behind the seam at which the CUDA backend calls the driver.
 */
@NullMarked
package io.ringkernel.test.ptx;

import org.jspecify.annotations.NullMarked;
