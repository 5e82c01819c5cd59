/**
 * Memory: of the device, and of the host where the device reaches it. What the driver
 * takes back only while no kernel runs waits here for such a moment.
 */
@NullMarked
package io.ringkernel.cuda.memory;

import org.jspecify.annotations.NullMarked;
