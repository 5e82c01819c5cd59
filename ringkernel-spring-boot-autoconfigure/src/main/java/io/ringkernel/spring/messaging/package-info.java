/**
 * Messages of Spring whose payload is laid out as in a ring.
 */
@NullMarked
package io.ringkernel.spring.messaging;

import org.jspecify.annotations.NullMarked;
