/**
 * The kernel: its messages, its handler and the words in which it holds an ensemble.
 */
@NullMarked
package io.ringkernel.models.kernel;

import org.jspecify.annotations.NullMarked;
