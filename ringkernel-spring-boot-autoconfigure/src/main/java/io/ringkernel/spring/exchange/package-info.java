/**
 * Declarative clients: interfaces whose methods call ring kernels.
 */
@NullMarked
package io.ringkernel.spring.exchange;

import org.jspecify.annotations.NullMarked;
