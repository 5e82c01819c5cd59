/**
 * The state that a kernel keeps from request to request: where it lies, and the files
 * that it is saved to.
 */
@NullMarked
package io.ringkernel.state;

import org.jspecify.annotations.NullMarked;
