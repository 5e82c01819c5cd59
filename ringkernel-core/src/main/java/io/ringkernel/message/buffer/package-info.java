/**
 * The memory that messages lie in, and how large arrays get in and out of it.
 */
@NullMarked
package io.ringkernel.message.buffer;

import org.jspecify.annotations.NullMarked;
