/**
 * Device loops as CUDA kernels: when a kernel is launched, how its end and its failures
 * are seen, and how kernels make way for each other on one device.
 */
@NullMarked
package io.ringkernel.cuda.loop;

import org.jspecify.annotations.NullMarked;
