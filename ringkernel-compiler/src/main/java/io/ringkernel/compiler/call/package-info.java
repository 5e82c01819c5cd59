/**
 * Calls: which method runs, and what becomes of the methods of the JDK that are not
 * translated.
 */
@NullMarked
package io.ringkernel.compiler.call;

import org.jspecify.annotations.NullMarked;
