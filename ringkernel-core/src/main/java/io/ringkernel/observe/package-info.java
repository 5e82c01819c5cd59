/**
 * What is known of a kernel: counters, timings, errors, its status and dumps of its
 * memory. Nothing here waits or calls a driver.
 */
@NullMarked
package io.ringkernel.observe;

import org.jspecify.annotations.NullMarked;
