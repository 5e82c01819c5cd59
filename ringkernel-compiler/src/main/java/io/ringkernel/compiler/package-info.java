/**
 * Compiles handlers that are written in Java to PTX.
 */
@NullMarked
package io.ringkernel.compiler;

import org.jspecify.annotations.NullMarked;
