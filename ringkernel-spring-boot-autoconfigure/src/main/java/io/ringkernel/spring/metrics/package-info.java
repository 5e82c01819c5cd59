/**
 * Metrics of ring kernels, with Micrometer.
 */
@NullMarked
package io.ringkernel.spring.metrics;

import org.jspecify.annotations.NullMarked;
