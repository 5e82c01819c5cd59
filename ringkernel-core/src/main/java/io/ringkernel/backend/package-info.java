/**
 * What a backend supplies: memory for a ring and something that runs the device loop over
 * it. Everything else, the ring, the lifecycle, the client, is the same for all of them.
 */
@NullMarked
package io.ringkernel.backend;

import org.jspecify.annotations.NullMarked;
