/**
 * The CPU backend: the device loop in Java threads. It speaks the ring protocol that a
 * GPU speaks, so that what is tested over it is tested for every backend.
 */
@NullMarked
package io.ringkernel.cpu;

import org.jspecify.annotations.NullMarked;
