/**
 * The bridge keeps two copies of a kernel's memory in step, one of the host and one of a
 * device that cannot reach the host's. It decides which bytes to copy and when to believe
 * a copy. Its caller decides how to copy.
 */
@NullMarked
package io.ringkernel.bridge;

import org.jspecify.annotations.NullMarked;
