/**
 * Writes the C++ structs that the device library uses from the records that Java uses, so
 * that there is one definition of a message.
 */
@NullMarked
package io.ringkernel.cuda.codegen;

import org.jspecify.annotations.NullMarked;
