/**
 * Translates bytecode. A method that is called is translated where it is called, and a
 * reference becomes the scalars that it stands for: an array its address and length, a
 * record its components, a lambda what it captures.
 */
@NullMarked
package io.ringkernel.compiler.bytecode;

import org.jspecify.annotations.NullMarked;
