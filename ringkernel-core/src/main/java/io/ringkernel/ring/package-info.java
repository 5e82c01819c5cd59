/**
 * The ring protocol: where slots lie, how a message is written into one and recognised as
 * complete, and how positions, slots and laps are handed between host and device. It
 * knows nothing of kernels; it is the same for every backend, and its device half is
 * spoken by a Java thread and by a CUDA kernel alike.
 */
@NullMarked
package io.ringkernel.ring;

import org.jspecify.annotations.NullMarked;
