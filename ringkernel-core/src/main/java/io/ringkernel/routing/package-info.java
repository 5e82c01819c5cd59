/**
 * Replicas of a kernel behind one client: which of them a request goes to.
 */
@NullMarked
package io.ringkernel.routing;

import org.jspecify.annotations.NullMarked;
