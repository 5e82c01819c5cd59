/**
 * The bridge: keeps a device's own copy of a kernel's memory and the host's in step where
 * the device cannot reach the host's. It knows which bytes to copy and when they may be
 * believed; how they are copied is told to it.
 */
@NullMarked
package io.ringkernel.bridge;

import org.jspecify.annotations.NullMarked;
