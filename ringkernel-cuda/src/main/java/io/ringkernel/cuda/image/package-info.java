/**
 * The images of kernels: where they are found, what they say about themselves, and
 * whether that fits the kernel. Nothing here calls a driver, except
 * {@link io.ringkernel.cuda.image.ModuleImage#load}.
 */
@NullMarked
package io.ringkernel.cuda.image;

import org.jspecify.annotations.NullMarked;
