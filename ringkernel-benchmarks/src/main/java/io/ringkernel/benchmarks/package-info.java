/**
 * Benchmarks of the ring and the message layouts, each beside a baseline that does the
 * same work.
 */
@NullMarked
package io.ringkernel.benchmarks;

import org.jspecify.annotations.NullMarked;
