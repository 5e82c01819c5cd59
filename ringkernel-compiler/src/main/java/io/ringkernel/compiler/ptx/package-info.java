/**
 * Writes code as PTX text.
 */
@NullMarked
package io.ringkernel.compiler.ptx;

import org.jspecify.annotations.NullMarked;
