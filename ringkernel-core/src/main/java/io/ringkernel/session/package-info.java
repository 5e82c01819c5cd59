/**
 * One launch of a kernel, seen from its callers: sending a request, waiting for its
 * response, futures, streams and their delivery. The public types of this package are for
 * {@code io.ringkernel.runtime}; applications use the client.
 */
@NullMarked
package io.ringkernel.session;

import org.jspecify.annotations.NullMarked;
