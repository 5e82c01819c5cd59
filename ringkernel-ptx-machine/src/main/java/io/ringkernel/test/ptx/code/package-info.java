/**
 * Decodes the text of PTX: one small class for each family of instructions. What is not
 * decoded is refused by name and line.
 */
@NullMarked
package io.ringkernel.test.ptx.code;

import org.jspecify.annotations.NullMarked;
