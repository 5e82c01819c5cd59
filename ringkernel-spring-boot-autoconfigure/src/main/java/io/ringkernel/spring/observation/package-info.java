/**
 * Observations of what is asked of ring kernels, with Micrometer.
 */
@NullMarked
package io.ringkernel.spring.observation;

import org.jspecify.annotations.NullMarked;
