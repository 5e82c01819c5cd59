/**
 * Which positions of a ring a loop serves, in which order, and which of them it may have
 * begun when it ended.
 */
@NullMarked
package io.ringkernel.ring.order;

import org.jspecify.annotations.NullMarked;
