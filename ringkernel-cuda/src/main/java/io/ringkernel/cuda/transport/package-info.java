/**
 * How the bytes of a ring get to the device and back: not at all where it reads the
 * host's memory, or over a bridge that keeps a copy of the ring on the device in step.
 */
@NullMarked
package io.ringkernel.cuda.transport;

import org.jspecify.annotations.NullMarked;
