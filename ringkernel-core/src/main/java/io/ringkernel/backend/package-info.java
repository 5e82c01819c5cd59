/**
 * The SPI of a backend, which supplies memory for a ring and a loop that serves it. Ring,
 * lifecycle and client are the same for every backend.
 */
@NullMarked
package io.ringkernel.backend;

import org.jspecify.annotations.NullMarked;
