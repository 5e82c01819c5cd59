/**
 * Ring kernels for reactive applications. It needs Reactor.
 */
@NullMarked
package io.ringkernel.spring.reactive;

import org.jspecify.annotations.NullMarked;
