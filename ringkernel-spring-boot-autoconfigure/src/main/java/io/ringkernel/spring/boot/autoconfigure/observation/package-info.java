/**
 * Auto-configuration of observations, where Micrometer is there.
 */
@NullMarked
package io.ringkernel.spring.boot.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
