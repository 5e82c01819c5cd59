/**
 * What application and host have in common: the frames that they send each other over a
 * socket, and the files that both open.
 */
@NullMarked
package io.ringkernel.cuda.host.wire;

import org.jspecify.annotations.NullMarked;
