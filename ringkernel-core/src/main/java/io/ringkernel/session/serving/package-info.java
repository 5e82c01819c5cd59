/**
 * The loop that serves a session, and the hand-over from one loop to the next.
 */
@NullMarked
package io.ringkernel.session.serving;

import org.jspecify.annotations.NullMarked;
