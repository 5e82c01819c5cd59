/**
 * Functions of {@link java.lang.StrictMath} in Java, which are translated with the
 * handlers that call them.
 */
@NullMarked
package io.ringkernel.compiler.strict;

import org.jspecify.annotations.NullMarked;
