/**
 * What a handler is between bytecode and PTX: a list of instructions over typed
 * registers, each of which may be written more than once. The package knows neither
 * bytecode nor PTX.
 */
@NullMarked
package io.ringkernel.compiler.ir;

import org.jspecify.annotations.NullMarked;
