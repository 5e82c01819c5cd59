/**
 * Translates the instructions of a handler's methods, each by its opcode.
 */
@NullMarked
package io.ringkernel.compiler.bytecode;

import org.jspecify.annotations.NullMarked;
