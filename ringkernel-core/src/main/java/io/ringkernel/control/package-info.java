/**
 * The control block: the words through which host and device tell each other how they
 * are. One writer per line.
 */
@NullMarked
package io.ringkernel.control;

import org.jspecify.annotations.NullMarked;
