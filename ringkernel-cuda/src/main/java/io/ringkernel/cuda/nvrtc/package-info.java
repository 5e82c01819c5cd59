/**
 * NVIDIA's compiler of CUDA C++ as a library, NVRTC; the only room that touches JNA.
 */
@NullMarked
package io.ringkernel.cuda.nvrtc;

import org.jspecify.annotations.NullMarked;
