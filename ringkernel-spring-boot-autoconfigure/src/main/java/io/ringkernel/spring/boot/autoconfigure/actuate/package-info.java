/**
 * Ring kernels in Actuator: health and an endpoint. Optional: it is there where Actuator
 * is.
 */
@NullMarked
package io.ringkernel.spring.boot.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
