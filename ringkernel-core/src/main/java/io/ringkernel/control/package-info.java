/**
 * The control block: the words through which host and workers exchange commands, states
 * and counters. Each line has one writer.
 */
@NullMarked
package io.ringkernel.control;

import org.jspecify.annotations.NullMarked;
