/**
 * Auto-configuration of metrics, where Micrometer is there.
 */
@NullMarked
package io.ringkernel.spring.boot.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
