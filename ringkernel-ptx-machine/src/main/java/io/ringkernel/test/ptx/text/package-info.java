/**
 * The text of PTX as a tree: variables, functions, statements and their operands. Nothing
 * here knows what an instruction does.
 */
@NullMarked
package io.ringkernel.test.ptx.text;

import org.jspecify.annotations.NullMarked;
